// What a sweep is reckoned to take: by the schedule of Ethereum, and by nothing where a node reckons otherwise.
import { sweepCall } from '@ducat/core/collection/sweeper';
import { amountOf, unitsOf } from '@ducat/core/money/amount';
import type { SweptAddress } from '@ducat/core/signing/transfer-intent';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { describe, expect, it } from 'vitest';
import { Outage } from '../../../runtime/outage.ts';
import { NodeError } from '../node-error.ts';
import { estimateSweeping } from './estimate-sweeping.ts';

const of = (digits: string) => `0x${digits.repeat(20)}`;
const token = testCurrency(1001, of('cc'));
const from: readonly SweptAddress[] = [
  { index: 0, address: of('a1'), nonce: 0 },
  { index: 1, address: of('a2'), nonce: null },
];
const plan = {
  from: of('01'),
  to: of('02'),
  currency: token,
  amount: amountOf(1001, 7n),
};
const data = Buffer.from(sweepCall(of('cc'), [of('a1'), of('a2')]), 'hex');
const ofData = data.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0);
const quantity = (value: number) => `0x${value.toString(16)}`;
const words = (...values: readonly number[]) =>
  `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`;

interface Node {
  /** What the sweeper counts with and without the authorisations. */
  readonly used: number;
  readonly bare: number;
  readonly asked: number;
  readonly fails?: Error;
  readonly addresses?: readonly SweptAddress[];
}

function estimate({ used, bare, asked, fails, addresses = from }: Node) {
  const answers: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_getBlockByNumber: () => ({ baseFeePerGas: '0x1' }),
    eth_maxPriorityFeePerGas: () => '0x1',
    eth_getBalance: () => '0xffffffffffff',
    eth_call: ([, , state]) => {
      if (fails !== undefined) throw fails;
      return words(Object.keys(Object(state)).length > 1 ? used : bare, 3, 4);
    },
    eth_estimateGas: () => quantity(asked),
  };
  const call = (method: string, params: readonly unknown[]) =>
    Promise.resolve().then(() => answers[method]?.(params));
  return estimateSweeping({ call }, { ...plan, sweeping: { type: 'sweep', from: addresses } }, 1000);
}

const gasOf = (found: Awaited<ReturnType<typeof estimate>>) =>
  found.outcome === 'possible' ? unitsOf(found.expected) / 2n : found.text;

describe('the gas of a sweep', () => {
  it('is that of its data, of each authorisation, and what the sweeper counts', async () => {
    const found = await estimate({ used: 80_000, bare: 9_000, asked: 30_000 + ofData });
    expect(gasOf(found)).toBe(BigInt(21_000 + ofData + 25_000 + 80_000));
    expect(found).toMatchObject({ swept: [amountOf(1001, 3n), amountOf(1001, 4n)] });
  });

  it('is never below the floor that data has', async () => {
    const addresses = from.map((one) => ({ ...one, nonce: null }));
    const found = await estimate({ used: 0, bare: 0, asked: 21_000 + 2.5 * ofData, addresses });
    expect(gasOf(found)).toBe(BigInt(21_000 + 2.5 * ofData));
  });

  // hits mark: gas-of-a-sweep-is-as-nodes-reckon
  it('is unknown where the node asks more for the same call without authorisations', async () => {
    const bare = 21_000 + ofData + 9_000;
    const ask = (asked: number) => estimate({ used: 80_000, bare: 9_000, asked });
    expect(await ask(Math.floor(bare * 1.05))).toMatchObject({ outcome: 'possible' });
    expect(await ask(Math.floor(bare * 1.05) + 1)).toMatchObject({ outcome: 'impossible' });
  });

  it('is no answer where the node did not look at the call, and impossible where the call failed', async () => {
    const node = { used: 0, bare: 0, asked: 0 };
    for (const fails of [
      new Outage('is away'),
      new NodeError('no such method', 'unsupported', -32601, false),
      new NodeError('cannot parse', 'unavailable', -32700, false),
    ])
      await expect(estimate({ ...node, fails })).rejects.toThrow(fails.message);
    const fails = new NodeError('execution reverted', 'unavailable', 3, true);
    expect(await estimate({ ...node, fails })).toMatchObject({ outcome: 'impossible' });
  });
});
