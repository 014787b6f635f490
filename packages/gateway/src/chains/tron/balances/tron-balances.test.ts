// Balances in one call, in smaller ones where a node runs out of time, and alone where it does not run the code.
import { PlainAnswer, type Tamper, token, tokenHex, trx } from '@ducat/testkit/chains/tron/mined-node';
import { minedBlock, openNode } from '@ducat/testkit/chains/tron/read-mined';
import { unitsOf } from '@ducat/core/money/amount';
import type { Currency } from '@ducat/core/chain/currency';
import { describe, expect, it } from 'vitest';
import { multicallData } from '../../balances/multicall.ts';

const at = { number: minedBlock, hash: '' };
const codeDigits = multicallData(null, []).length - 40;
const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');
const holders = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `41${(index + 1).toString(16).padStart(40, '0')}`);
/** Every holder's balance is the number of its address. */
const unitsOfHolder = (address: string): bigint => BigInt(`0x${address.slice(2)}`);

const reverted = (data: string): object => ({
  result: { result: true, message: hexOf('REVERT opcode executed') },
  constant_result: [data],
  transaction: { ret: [{ ret: 'FAILED' }] },
});
const returned = (data: string): object => ({
  result: { result: true },
  constant_result: [data],
  transaction: { ret: [{}] },
});
const outOfTime = {
  result: {
    code: 'OTHER_ERROR',
    message: hexOf("class o.t.c.v.p.Program$OutOfTimeException : CPU timeout for 'SLOAD'"),
  },
};
const refused = {
  result: { code: 'CONTRACT_VALIDATE_ERROR', message: hexOf('this node does not support constant') },
};

interface Doing {
  /** Holders above which time runs out. */
  readonly most?: number;
  readonly height?: () => number;
  /** The answer to a call for all holders together; null where the node does not run code that comes with a call. */
  readonly together?: object | null;
  /** The holder whose balance the token does not give when all are asked for together. */
  readonly silent?: string;
  readonly alone?: (address: string) => object;
}

/** A node that runs code which comes with a call, and answers calls of the token. */
function doing({ most = 1_000, height = () => 2, together, silent, alone }: Doing): Tamper {
  return (call, parameters) => {
    if (call === 'walletsolidity/getaccount')
      return { balance: unitsOfHolder(String(parameters['address'])) };
    if (call !== 'walletsolidity/triggerconstantcontract') return undefined;
    const { data, parameter } = parameters;
    if (typeof data !== 'string') {
      const address = `41${String(parameter).slice(24)}`;
      return alone?.(address) ?? returned(word(unitsOfHolder(address)));
    }
    if (together !== undefined) return together ?? refused;
    const asked = (data.slice(codeDigits + 40).match(/.{40}/g) ?? []).map((one) => `41${one}`);
    if (asked.length > most) return outOfTime;
    const answers = asked.map((one) => word(one === silent ? 2n ** 256n - 1n : unitsOfHolder(one)));
    return returned(word(height()) + word(0) + answers.join(''));
  };
}

function open(what: Doing) {
  const { node, reader } = openNode([]);
  node.tamper = doing(what);
  const read = async (addresses: readonly string[], currency: Currency = token) => {
    const report = await reader.balances(addresses, currency, at);
    return { at: report.at, units: report.amounts.map(unitsOf) };
  };
  const calls = (method: string): number =>
    node.asked.filter((one) => one === `walletsolidity/${method}`).length;
  return { node, reader, read, calls };
}

describe('balances', () => {
  it.each<readonly [string, Currency, number, number]>([
    ['tokens', token, 250, 3],
    ['TRX', trx, 300, 3],
  ])('of %s come in few calls and in the order asked', async (_, currency, count, calls) => {
    const { read, reader, calls: made } = open({});
    const asked = holders(count).toReversed();
    expect(await read(asked, currency)).toEqual({ at: 2, units: asked.map(unitsOfHolder) });
    expect(made('triggerconstantcontract')).toBe(calls);
    expect(reader.hasPastBalances).toBe(false);
  });

  it('are asked in halves where time runs out', async () => {
    const { read, calls } = open({ most: 30 });
    const asked = holders(100);
    expect((await read(asked)).units).toEqual(asked.map(unitsOfHolder));
    expect(calls('triggerconstantcontract')).toBe(1 + 2 + 4);
  });

  it('are of the block that the answer names, which is not below the one asked for', async () => {
    expect(await open({ height: () => 7 }).read(holders(3))).toMatchObject({ at: 7 });
    await expect(open({ height: () => 1 }).read(holders(3))).rejects.toMatchObject({
      kind: 'not-yet',
      message: 'is at block 1, and not yet at 2',
    });
  });

  it('are all of one block, or of none yet', async () => {
    let height = 2;
    await expect(open({ height: () => height++ }).read(holders(200))).rejects.toMatchObject({
      kind: 'not-yet',
    });
  });

  it.each<readonly [string, object | null]>([
    ['refuses', null],
    ['returns nothing', returned('')],
    ['reverts', reverted(word(2) + word(0) + word(1))],
    ['answers for others', returned(word(2) + word(0))],
    ['counts no such block', returned(word(2n ** 64n) + word(0) + word(1) + word(2) + word(3))],
  ])('are asked one by one of a node that %s where the code comes with the call', async (_, together) => {
    const { read, calls } = open({ together });
    const asked = holders(3);
    expect(await read(asked)).toEqual({ at: 2, units: [1n, 2n, 3n] });
    expect(await read(asked, trx)).toEqual({ at: 2, units: [1n, 2n, 3n] });
    expect(calls('getaccount')).toBe(3);
  });

  it('that are asked one by one are of the solid head that stays meanwhile', async () => {
    const { node, read } = open({ together: null });
    await read(holders(1));
    const stays = node.tamper;
    node.tamper = (call, ...rest) => {
      if (call.endsWith('/triggerconstantcontract')) node.solidHead = 1;
      return stays?.(call, ...rest);
    };
    await expect(read(holders(1))).rejects.toMatchObject({ kind: 'not-yet' });
  });

  it.each([
    ['tokens', token, 2, '2'],
    ['tokens', token, 1, 'not-yet'],
    ['TRX', trx, 2, '2'],
    ['TRX', trx, 1, 'not-yet'],
  ])('of %s asked one by one, with another solid head afterwards or not', async (...row) => {
    const [, currency, afterwards, expected] = row;
    const { node, read } = open({ together: null });
    const honest = node.tamper;
    node.tamper = (call, parameters, answer) => {
      const isOfHolder = 'parameter' in parameters || call.endsWith('/getaccount');
      if (isOfHolder) node.solidHead = afterwards;
      return honest?.(call, parameters, answer);
    };
    const outcome = await read(holders(3), currency).catch(({ kind }: { kind: string }) => ({ at: kind }));
    expect(String(outcome.at)).toBe(expected);
  });

  it('of a holder of whom the token says nothing are asked alone', async () => {
    const silent = holders(5)[2] ?? '';
    expect(await open({ silent }).read(holders(5))).toEqual({ at: 2, units: [1n, 2n, 3n, 4n, 5n] });
    const failing = open({ silent, alone: () => reverted('') });
    await expect(failing.read(holders(5))).rejects.toMatchObject({
      kind: 'unsupported',
      message: `${tokenHex} does not say a balance of T1001`,
    });
    await expect(open({ silent, alone: () => outOfTime }).read(holders(5))).rejects.toMatchObject({
      kind: 'unavailable',
    });
    await expect(open({ silent, height: () => 3 }).read(holders(5))).rejects.toMatchObject({
      kind: 'not-yet',
    });
  });

  it('need a provider that answers', async () => {
    const { node, read } = open({});
    node.tamper = (call) => (call.endsWith('constantcontract') ? new PlainAnswer(429) : undefined);
    await expect(read(holders(1))).rejects.toMatchObject({ kind: 'throttled' });
    node.tamper = (call) => (call.endsWith('constantcontract') ? { result: { result: true } } : undefined);
    await expect(read(holders(1))).rejects.toMatchObject({ kind: 'invalid' });
  });

  it('of nobody need no question', async () => {
    const { read, calls } = open({});
    expect(await read([])).toEqual({ at: 2, units: [] });
    expect(calls('triggerconstantcontract')).toBe(0);
  });
});
