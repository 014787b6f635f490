// Nodes that lie about a block, in every way we know: never believed, and the next endpoint takes over.
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tamper } from '@ducat/testkit/chains/evm/lying-proxy';
import {
  at,
  list,
  type LyingStage,
  put,
  recipient,
  startLyingStage,
  tamper,
  unstatedGenesis,
} from '@ducat/testkit/chains/evm/lying-stage';
import { manualWorld } from '@ducat/testkit/chains/manual-world';

import { isRecord } from './raw-block.ts';

const attacker = `0x${'e1'.repeat(20)}`;
let stage: LyingStage;
beforeAll(async () => {
  stage = await startLyingStage();
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.liar.lie();
  stage.honest.lie();
});

type Change = (result: unknown) => unknown;
const blockBy = (change: Change): Tamper => tamper('eth_getBlockByNumber', change);
const receiptsBy = (change: Change): Tamper => tamper('eth_getBlockReceipts', change);
const tracesBy = (change: Change): Tamper => tamper('debug_traceBlockByHash', change);
const hashOf = (digit: string): string => `0x${digit.repeat(64)}`;

/** A third log, as the token would have written it, in the receipt of the native payment. */
const forge: Change = list((receipts) => {
  const [, genuine] = receipts;
  const native = receipts[2];
  if (!isRecord(genuine) || !Array.isArray(genuine['logs']) || !isRecord(native))
    throw new Error('no receipts');
  const forged: unknown = {
    ...genuine['logs'][0],
    transactionHash: native['transactionHash'],
    logIndex: '0x2',
  };
  return put('2.logs', [forged])(receipts);
});

const huge = `0x${'9'.repeat(85)}`;
const valued = (value: string): unknown => ({ type: 'CALL', from: recipient, to: recipient, value });

const lies: readonly (readonly [name: string, lie: Tamper, reason: RegExp])[] = [
  ['no receipts', receiptsBy(() => []), /0 receipts for 4 transactions/],
  ['a receipt less', receiptsBy(list((all) => all.slice(1))), /3 receipts for 4/],
  ['receipts in another order', receiptsBy(list((all) => all.toReversed())), /not in the order/],
  ['receipts of another block', receiptsBy(put('0.blockHash', hashOf('1'))), /another block/],
  ['a log of another block', receiptsBy(put('0.logs.0.blockHash', hashOf('1'))), /another block/],
  ['a log left out', receiptsBy(put('1.logs', [])), /receipts root/],
  [
    'a larger amount',
    receiptsBy(at('0.logs.0.data', (data) => String(data).replace(/5$/, '6'))),
    /receipts root/,
  ],
  [
    'another receiver',
    receiptsBy(put('0.logs.0.topics.2', `0x${attacker.slice(2).padStart(64, '0')}`)),
    /receipts root/,
  ],
  ['a forged log', receiptsBy(forge), /receipts root/],
  ['a failed transaction called successful', receiptsBy(put('3.status', '0x1')), /receipts root/],
  ['data that is not hex', receiptsBy(put('0.logs.0.data', `0x${'zz'.repeat(32)}`)), /list of receipts/],
  ['data of half a byte', receiptsBy(put('0.logs.0.data', '0x5')), /list of receipts/],
  // Leading zeros give the same root, and would then be taken for a failure.
  ['a status with a leading zero', receiptsBy(put('0.status', '0x01')), /list of receipts/],
  ['gas with a leading zero', receiptsBy(put('0.cumulativeGasUsed', '0x05208')), /list of receipts/],
  ['a type that is no text', receiptsBy(put('0.type', 2)), /list of receipts/],
  ['a bloom that is too short', receiptsBy(put('0.logsBloom', '0x00')), /list of receipts/],
  ['a topic of half a word', receiptsBy(put('0.logs.0.topics.2', `0x${'1'.repeat(32)}`)), /list of receipts/],
  [
    'an address with NUL in it',
    receiptsBy(put('0.logs.0.address', `0x${'\0'.repeat(40)}`)),
    /list of receipts/,
  ],
  ['a value without digits', blockBy(put('transactions.2.value', '0x')), /not a block with/],
  ['a value with a leading zero', blockBy(put('transactions.2.value', '0x07')), /not a block with/],
  ['a receiver that is none', blockBy(put('transactions.2.to', '0xzz')), /not a block with/],
  ['a value in a trace that is no hex', tracesBy(put('0.result.calls', [valued('0xzz')])), /without a value/],
  ['a value in a trace above 256 bits', tracesBy(put('0.result.calls', [valued(huge)])), /without a value/],
  ['calls in a trace that run out of hand', tracesBy(put('0.result.calls', [{ type: {} }])), /unknown type/],
  ['a removed log', receiptsBy(put('0.logs.0.removed', true)), /order of the chain/],
  ['something else for receipts', receiptsBy(() => ({ error: 'busy' })), /not a list of receipts/],
  ['another header', blockBy(put('timestamp', '0x1')), /header of block/],
  ['another hash', blockBy(put('hash', hashOf('2'))), /header of block/],
  ['another block', blockBy(put('number', '0x1')), /was asked for block/],
  [
    'a transaction left out',
    blockBy(
      at(
        'transactions',
        list((all) => all.slice(0, -1)),
      ),
    ),
    /transactions root/,
  ],
  ['a larger value', blockBy(put('transactions.2.value', '0xffff')), /transactions root/],
  ['no transactions at all', blockBy(put('transactions', [])), /transactions root/],
  ['hashes for transactions', blockBy(put('transactions.0', hashOf('3'))), /not a block with transactions/],
  ['null for a block below the head', blockBy(() => null), /has no block/],
  ['no traces', tracesBy(() => []), /traces of block .* not one each/],
  ['another value in a trace', tracesBy(put('2.result.value', '0xff')), /do not begin/],
  ['a failure hidden in a trace', tracesBy(put('3.result.error', undefined)), /what failed/],
  ['traces in another order', tracesBy(list((all) => all.toReversed())), /not in its order/],
];

it('a node without the receipts of a block is passed over, and may confirm what moved inside', async () => {
  const truth = await stage.chainOf([stage.honest.url]).readBlock(stage.block, stage.currencies);
  stage.liar.lie({ result: receiptsBy(() => null) });
  await expect(stage.chainOf([stage.liar.url]).readBlock(stage.block, stage.currencies)).rejects.toThrow(
    /no longer has the receipts/,
  );
  const both = stage.chainOf([stage.liar.url, stage.honest.url]);
  expect(await both.readBlock(stage.block, stage.currencies)).toEqual(truth);
});

// Beside the liar stand two, since two have to tell what moved inside.
describe('a node that lies about a block', () => {
  it.each(lies)('is not believed with %s, and the next endpoint is asked', async (_name, lie, reason) => {
    stage.liar.lie({ result: lie });
    const truth = await stage.chainOf([stage.honest.url]).readBlock(stage.block, stage.currencies);
    expect(truth?.transfers.map(({ to, amount }) => [to, unitsOf(amount)])).toEqual([
      [recipient, 5n],
      [recipient, 5n],
      [recipient, 7n],
    ]);
    await expect(stage.chainOf([stage.liar.url]).readBlock(stage.block, stage.currencies)).rejects.toThrow(
      reason,
    );
    const both = stage.chainOf([stage.liar.url, stage.honest.url, stage.honest.url]);
    expect(await both.readBlock(stage.block, stage.currencies)).toEqual(truth);
    expect(both.health()).toMatchObject([
      { lastError: expect.stringMatching(reason) },
      { healthy: true, lastError: null },
      { healthy: true, lastError: null },
    ]);
  });

  it('is not believed with a false transaction id on both sides', async () => {
    const genuine = await stage.chainOf([stage.honest.url]).readBlock(stage.block, stage.currencies);
    const id = genuine?.transfers[0]?.txId ?? '';
    stage.liar.lie({ body: (body) => ({ body: body.replaceAll(id, hashOf('3')) }) });
    await expect(
      stage
        .chainOf([stage.liar.url], undefined, { traceMethod: 'none' })
        .readBlock(stage.block, stage.currencies),
    ).rejects.toThrow(/have the id/);
  });
});

describe('a node that was found to lie', () => {
  it('is left alone at once, and tried again only after a pause', async () => {
    const world = manualWorld();
    const chain = stage.chainOf([stage.liar.url, stage.honest.url, stage.honest.url], world);
    stage.liar.lie({ result: receiptsBy(() => []) });
    await chain.readBlock(stage.block, stage.currencies);
    const asked = stage.liar.asked.length;
    await chain.readBlock(stage.block, stage.currencies);
    expect(stage.liar.asked.length).toBe(asked);
    expect(chain.health()[0]?.healthy).toBe(false);
    stage.liar.lie();
    world.advance(60_000);
    await chain.readBlock(stage.block, stage.currencies);
    expect(stage.liar.asked.slice(asked)).toContain('eth_chainId');
    expect(chain.health()[0]).toMatchObject({ healthy: true, lastError: null });
  });

  it('may not escape the check of its headers by adding a field', async () => {
    const chain = stage.chainOf([stage.liar.url]);
    await chain.readBlock(stage.block, stage.currencies);
    stage.liar.lie({ result: blockBy((json) => put('timestamp', '0x1')(put('futureField', '0x1')(json))) });
    await expect(chain.readBlock(stage.block, stage.currencies)).rejects.toThrow(/its hash does not cover/);
    const fresh = stage.chainOf([stage.liar.url]);
    await fresh.headers(stage.block, stage.block);
    expect(fresh.gaps().join()).toContain('hashes are not recomputed');
    // From the first question on, where another endpoint shows that this chain's hashes can be checked.
    const two = stage.chainOf([stage.liar.url, stage.honest.url, stage.honest.url]);
    expect(await two.headers(stage.block, stage.block)).toMatchObject([{ time: expect.any(Number) }]);
    expect((await two.headers(stage.block, stage.block))[0]?.time).toBeGreaterThan(1);
    expect(two.health()[0]?.lastError).toMatch(/its hash does not cover/);
    expect(two.gaps()).toEqual([unstatedGenesis]);
  });
});
