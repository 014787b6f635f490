// What outgoing transactions may offer, when they are offered again, and what proves what became of them.
import { describe, expect, it } from 'vitest';
import type { Transfer } from '../chain/transfer.ts';
import { amountOf } from '../money/amount.ts';
import { capTerms } from './cap-terms.ts';
import { isProvenDead, nonceRoom, reasonToStop } from './outgoing.ts';
import { verdictOf } from './promise.ts';
import { replacementOf } from './replacement.ts';
import type { EvmTerms } from './terms.ts';

const cap = (units: bigint) => amountOf(1000, units);

function terms(maxFeePerGas: bigint, maxPriorityFeePerGas: bigint, priceThen: bigint): EvmTerms {
  return {
    family: 'evm',
    gasLimit: 100n,
    maxFeePerGas,
    maxPriorityFeePerGas,
    priceThen,
    isLegacy: false,
  };
}

// hits mark: never-above-the-fee-cap
describe('the cap', () => {
  it.each<readonly [bigint, readonly [bigint, bigint] | null]>([
    [100_000n, [200n, 10n]],
    [15_000n, [150n, 10n]],
    [11_000n, [110n, 10n]],
    [10_999n, null],
  ])('of %s leaves what it can', (units, left) => {
    const capped = capTerms(terms(200n, 10n, 110n), cap(20_000n), cap(units));
    expect(capped?.family === 'evm' ? [capped.maxFeePerGas, capped.maxPriorityFeePerGas] : null).toEqual(
      left,
    );
  });

  it('lets energy go whole or not at all', () => {
    const tron = { family: 'tron', feeLimit: 50n } as const;
    expect(capTerms(tron, cap(60n), cap(60n))).toEqual(tron);
    expect(capTerms(tron, cap(61n), cap(60n))).toBeNull();
  });
});

describe('a replacement', () => {
  const sent = terms(200n, 10n, 110n);
  it('is not needed while blocks take what was offered', () => {
    expect(replacementOf(sent, terms(400n, 12n, 200n), cap(1_000_000n))).toEqual({ kind: 'not-needed' });
  });

  it.each<readonly [string, EvmTerms, readonly [bigint, bigint]]>([
    ['a little more', terms(210n, 10n, 201n), [225n, 12n]],
    ['much more', terms(9_000n, 40n, 4_500n), [9_000n, 40n]],
    ['a higher tip alone', terms(150n, 20n, 120n), [225n, 20n]],
  ])('offers an eighth more on both prices at least: %s', (_, live, [fee, tip]) => {
    expect(replacementOf(sent, live, cap(1_000_000n))).toMatchObject({
      kind: 'replace',
      terms: { gasLimit: 100n, maxFeePerGas: fee, maxPriorityFeePerGas: tip },
    });
  });

  // hits mark: no-replacement-above-the-cap
  it('ends at the cap', () => {
    const live = terms(9_000n, 40n, 4_500n);
    expect(replacementOf(sent, live, cap(30_000n))).toMatchObject({ terms: { maxFeePerGas: 300n } });
    expect(replacementOf(sent, live, cap(22_500n))).toMatchObject({ terms: { maxFeePerGas: 225n } });
    expect(replacementOf(sent, live, cap(22_499n))).toEqual({ kind: 'cap-reached' });
  });
});

// hits mark: exactly-what-was-promised
// hits mark: succeeded-is-not-failed
describe('a final inclusion', () => {
  const promised = { from: '0xus', to: '0xthem', amount: amountOf(1001, 5n) };
  const moved = (change: Partial<Transfer> = {}): Transfer => ({
    chain: 'ETH',
    txId: '0xaa',
    position: 'log:0',
    ...promised,
    block: { number: 1, hash: '0x1', time: 1 },
    ...change,
  });
  it.each<readonly [string, 'succeeded' | 'failed', readonly Transfer[], string]>([
    ['just that', 'succeeded', [moved()], 'succeeded'],
    ['nothing', 'succeeded', [], 'mismatched'],
    ['nothing, and failed', 'failed', [], 'failed'],
    ['less', 'succeeded', [moved({ amount: amountOf(1001, 4n) })], 'mismatched'],
    ['to another address', 'succeeded', [moved({ to: '0xother' })], 'mismatched'],
    ['another currency', 'succeeded', [moved({ amount: amountOf(1002, 5n) })], 'mismatched'],
    ['it twice', 'succeeded', [moved(), moved({ position: 'log:1' })], 'mismatched'],
    ['it, though it failed', 'failed', [moved()], 'mismatched'],
    ['something to us', 'succeeded', [moved({ from: '0xother', to: '0xus' })], 'mismatched'],
    ['something to us', 'failed', [moved({ from: '0xother', to: '0xus' })], 'failed'],
  ])('that moved %s (%s)', (_, status, transfers, verdict) => {
    expect(verdictOf(promised, { status }, transfers)).toBe(verdict);
  });

  // hits mark: unread-is-not-unmoved
  it('of a currency that no block was read for has failed by no status', () => {
    for (const status of ['succeeded', 'failed'] as const)
      expect(verdictOf(promised, { status }, null)).toBe('mismatched');
  });
});

describe('the room for nonces', () => {
  it.each([
    ['none is given out', 0, 0, 16],
    ['blocks hold all but three', 3, 900, 13],
    ['as many wait for a block as every pool keeps', 16, 16, 0],
    ['a reorg sent more back to the pools', 30, 40, 0],
    ['blocks do not become final', 0, 1_020, 4],
  ])('where %s', (_what, pending, inFlight, room) => {
    expect(nonceRoom({ pending, inFlight })).toBe(room);
  });
});

describe('proofs', () => {
  it('of expiry need a final block that is younger, by whole seconds', () => {
    expect([999, 1_000, 1_001].map((expiresAtMs) => isProvenDead(expiresAtMs, 1))).toEqual([
      true,
      false,
      false,
    ]);
  });

  it.each<readonly [number, number, number | null, boolean]>([
    [5, 5, null, false],
    [5, 5, 5, false],
    [5, 6, 5, true],
    [5, 4, null, true],
    [6, 6, 5, true],
  ])('that stop a sender: %s booked, %s reported, %s open: %s', (booked, reported, lowestOpen, isStopped) => {
    expect(reasonToStop({ booked, reported, lowestOpen }) !== null).toBe(isStopped);
  });
});
