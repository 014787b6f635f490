// Internal transactions from call trees as geth writes them: children of a failed frame carry no mark.
import { type ReaderStage, startReaderStage } from '@ducat/testkit/chains/evm/reader-stage';
import { callCode, relayCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { put, tamper } from '@ducat/testkit/chains/evm/tampering-proxy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import { unitsOf } from '@ducat/core/money/amount';
import { type CallFrame, internalTransfersIn } from './call-frames.ts';

const us = `0x${'ab'.repeat(20)}`;
const other = `0x${'06'.repeat(20)}`;

const frame = (change: CallFrame = {}, ...calls: readonly CallFrame[]): CallFrame => ({
  type: 'CALL',
  from: other,
  to: other,
  value: '0x0',
  ...change,
  ...(calls.length > 0 ? { calls } : {}),
});
const paysUs = frame({ to: us, value: '0x7' });
const failed = { error: 'execution reverted' };
const found = (root: CallFrame): readonly string[] =>
  internalTransfersIn(root, new Set([us])).map(({ place, units }) => `${place}=${units}`);

describe('the frames of a transaction', () => {
  it.each<readonly [string, CallFrame, readonly string[]]>([
    ['the root call frame alone, which is no internal transaction', paysUs, []],
    ['a call that pays', frame({}, paysUs), ['0=7']],
    ['a call that pays another address', frame({}, frame({ value: '0x7' })), []],
    ['a root call frame that failed', frame(failed, paysUs), []],
    ['A ok, B reverts, C pays', frame({}, frame(failed, paysUs)), []],
    ['A ok, B ok, C pays and reverts', frame({}, frame({}, frame({ to: us, value: '0x7', ...failed }))), []],
    ['A ok, B reverts, C ok, D pays', frame({}, frame(failed, frame({}, paysUs))), []],
    ['A ok, B pays, a sibling reverts', frame({}, frame(failed), paysUs), ['0=7']],
    ['two that pay, one deep', frame({}, paysUs, frame({}, frame(), paysUs)), ['0=7', '1=7']],
    ['a delegatecall that shows value', frame({}, frame({ type: 'DELEGATECALL', to: us, value: '0x7' })), []],
    ['a callcode that shows value', frame({}, frame({ type: 'CALLCODE', to: us, value: '0x7' })), []],
    ['a call below a delegatecall', frame({}, frame({ type: 'DELEGATECALL' }, paysUs)), ['0=7']],
    ['a staticcall', frame({}, frame({ type: 'STATICCALL', to: us, value: undefined })), []],
    ['a selfdestruct', frame({}, frame({ type: 'SELFDESTRUCT', to: us, value: '0x7' })), ['0=7']],
    ['an endowment', frame({}, frame({ type: 'CREATE2', to: us, value: '0x7' })), ['0=7']],
    ['a failed creation', frame({}, frame({ type: 'CREATE', to: us, value: '0x7', ...failed })), []],
    ['upper case', frame({}, frame({ to: `0x${us.slice(2).toUpperCase()}`, value: '0x7' })), ['0=7']],
  ])('move %s', (_name, root, expected) => {
    expect(found(root)).toEqual(expected);
  });

  it('have the same places whether or not a node shows precompiled contracts and staticcalls', () => {
    const precompiled = frame({ to: `0x${'0'.repeat(39)}4` });
    const looked = frame({ type: 'STATICCALL', value: undefined });
    expect(found(frame({}, precompiled, looked, paysUs))).toEqual(found(frame({}, paysUs)));
    // Value that goes to a precompiled contract moves, so every node shows it.
    expect(found(frame({}, { ...precompiled, value: '0x1' }, paysUs))).toEqual(['1=7']);
  });

  it.each<readonly [CallFrame, string]>([
    [frame({}, frame({ type: 'AUTHCALL' })), 'unknown type'],
    [frame({}, frame({ value: undefined })), 'without a value'],
    [frame({}, frame({ value: '0xzz' })), 'without a value'],
    [frame({}, frame({ value: `0x${'9'.repeat(85)}` })), 'without a value'],
    [frame({}, frame({ to: 'x', value: '0x7' })), 'without addresses'],
    [frame({ calls: [7] }), 'no frames'],
    [frame({ calls: 'x' }), 'no frames'],
    [Array.from({ length: 1_100 }).reduce<CallFrame>((deep) => frame({}, deep), paysUs), 'deeper than'],
  ])('are not guessed at where they cannot be read (%#)', (root, reason) => {
    expect(() => found(root)).toThrow(reason);
  });
});

describe('the trace of a block', () => {
  const wei = 10n ** 9n;
  let stage: ReaderStage;
  /** Pays twice inside its first transaction, once inside its second, and has a third one that is plain. */
  let block: BlockHeader;
  beforeAll(async () => {
    stage = await startReaderStage();
    const twice = await stage.payer.deploy(assemble(...callCode(us, 1), ...callCode(us, 2), 'STOP'));
    const once = await stage.payer.deploy(relayCode(us, 'CALLVALUE', 'ok'));
    const { block: number } = await stage.payer.sendAndMine(
      { to: twice, value: 5n },
      { to: once, value: wei },
      { to: other, value: 1n },
    );
    const header = await stage.reader().header(number);
    if (header === null) throw new Error('the block was mined');
    block = header;
  });
  afterAll(() => stage.stop());
  beforeEach(() => stage.proxy.change());

  const read = async (traceMethod: 'debug' | 'none' = 'debug') => {
    const transfers = await stage.reader({ traceMethod }).internalTransfers(block, [us]);
    return transfers.map(({ position, amount }) => `${position}=${unitsOf(amount)}`);
  };
  const payments = ['internal:0=1', 'internal:1=2', `internal:0=${wei}`];
  const whole = 'debug_traceBlockByHash';

  it('shows them', async () => {
    expect(await read()).toEqual(payments);
  });

  it('cannot be had where it is too much for the node', async () => {
    for (const message of ['response too large', 'execution timeout', 'tracer ran out of memory']) {
      stage.proxy.change({ errors: { [whole]: { code: -32_000, message } } });
      await expect(read()).rejects.toMatchObject({ kind: 'unsupported' });
    }
    stage.proxy.change({
      result: tamper(whole, (all) => put('0', { txHash: undefined, error: 'execution timeout' })(all)),
    });
    await expect(read()).rejects.toMatchObject({ kind: 'unsupported' });
  });

  it('cannot be had where the chain has no traces, the node no method or no state', async () => {
    await expect(read('none')).rejects.toMatchObject({ kind: 'unsupported' });
    for (const error of [
      { code: -32_601, message: 'the method does not exist/is not available' },
      { code: -32_000, message: 'historical state 12ab is not available' },
    ]) {
      stage.proxy.change({ errors: { [whole]: error } });
      await expect(read()).rejects.toMatchObject({ kind: 'unsupported', retryable: false });
    }
    stage.proxy.change({ errors: { [whole]: { code: -32_005, message: 'limit exceeded' } } });
    await expect(read()).rejects.toMatchObject({ kind: 'throttled' });
  });

  const traceBy = (change: (result: unknown) => unknown) => tamper(whole, change);
  it.each([
    [traceBy(() => []), 'not one for each'],
    [traceBy((all) => [all].flat().toReversed()), 'in another order'],
    [traceBy(put('0.result', undefined)), 'not complete'],
    [traceBy(put('0', 7)), 'not complete'],
    [traceBy(put('0.result.calls', [{ type: {} }])), 'unknown type'],
  ] as const)('is refused where it makes no sense (%#)', async (result, reason) => {
    stage.proxy.change({ result });
    await expect(read()).rejects.toThrow(reason);
    await expect(read()).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('of an unknown block is none yet', async () => {
    const unknown = { ...block, hash: `0x${'1'.repeat(64)}` };
    await expect(stage.reader().internalTransfers(unknown, [us])).rejects.toMatchObject({ kind: 'not-yet' });
  });
});
