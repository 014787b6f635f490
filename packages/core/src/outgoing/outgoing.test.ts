// What outgoing transactions may offer, when they are offered again, and what proves what became of them.
import { describe, expect, it } from 'vitest';
import type { Transfer } from '../chain/transfer.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import { capTerms } from './cap-terms.ts';
import { offerAll } from './offer-all.ts';
import { isProvenDead, nonceRoom, outlookOf, reasonToStop } from './outgoing.ts';
import { keepsPromise, verdictOf, verdictOn } from './promise.ts';
import { sweptBy } from './sweep-verdict.ts';
import { replacementOf } from './replacement.ts';
import { stillShort } from './still-short.ts';
import { type EvmTerms, mostUnits } from './terms.ts';

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

describe('an offer of all that there is', () => {
  it.each([
    [11_000n, [110n, 110n]],
    [11_199n, [111n, 111n]],
    [10_999n, null],
  ])('of %s is fee and tip alike', (units, offered) => {
    const all = offerAll(terms(200n, 10n, 110n), cap(units));
    expect(all?.family === 'evm' ? [all.maxFeePerGas, all.maxPriorityFeePerGas] : null).toEqual(offered);
  });

  it('burns by use on Tron', () => {
    const tron = { family: 'tron', feeLimit: 50n } as const;
    expect(offerAll(tron, cap(1n))).toBe(tron);
    expect([mostUnits(tron), mostUnits(terms(200n, 10n, 110n))]).toEqual([50n, 20_000n]);
  });
});

describe('what a sender lacks', () => {
  const tron = { family: 'tron', feeLimit: 1n } as const;
  // An estimate of 20 000 that a cap lowered to 15 000: 5 000 less of the coin is needed.
  const lowered = { terms: terms(150n, 10n, 110n), most: cap(20_000n) };
  const burnt = { terms: tron, most: cap(20_000n) };
  const coin = (needed: bigint, held: bigint) => ({ needed: cap(needed), held: cap(held) });
  const token = { needed: amountOf(1001, 2n), held: amountOf(1001, 1n) };

  it.each([
    ['is lifted by lower terms', lowered, [coin(20_000n, 15_000n)], null],
    ['is lifted by them all but a unit', lowered, [coin(20_000n, 14_999n)], 0],
    ['is lifted by nothing on Tron', burnt, [coin(20_000n, 19_999n)], 0],
    ['is nothing', burnt, [coin(20_000n, 20_000n)], null],
    ['is a token, which no terms lift', lowered, [coin(20_000n, 15_000n), token], 1],
  ])('%s', (_, going, lacks, found) => {
    expect(stillShort(lacks, going)).toBe(found === null ? null : lacks[found]);
  });
});

describe('a replacement', () => {
  const sent = terms(200n, 10n, 110n);
  it.each([
    ['pays what blocks take', sent, terms(400n, 12n, 200n), 'not-needed'],
    ['pays one unit less', sent, terms(400n, 12n, 201n), 'replace'],
    ['has more than half of the tip', sent, terms(400n, 19n, 200n), 'not-needed'],
    ['has half of the tip', sent, terms(400n, 20n, 200n), 'replace'],
    ['has no tip, as its chain has none', { ...sent, isLegacy: true }, terms(400n, 20n, 200n), 'not-needed'],
  ])('of what %s', (_, offered, live, kind) => {
    expect(replacementOf(offered, live, cap(1_000_000n)).kind).toBe(kind);
  });

  it.each([
    ['both prices by one unit at least', terms(1n, 0n, 1n), [2n, 1n]],
    ['both by an eighth, exactly', terms(8n, 8n, 8n), [9n, 9n]],
    ['both by an eighth, rounded up', terms(9n, 9n, 9n), [11n, 11n]],
  ])('raises %s', (_, offered, [fee, tip]) => {
    const live = terms(1n, 0n, 100n);
    expect(replacementOf(offered, live, cap(1_000_000n))).toEqual({
      kind: 'replace',
      terms: { ...offered, priceThen: 100n, maxFeePerGas: fee, maxPriorityFeePerGas: tip },
    });
  });

  it('ends at the cap by its tip too', () => {
    const dearTip = terms(10n, 200n, 110n);
    expect(replacementOf(dearTip, terms(9_000n, 40n, 4_500n), cap(22_499n))).toEqual({ kind: 'cap-reached' });
    expect(replacementOf(dearTip, terms(9_000n, 40n, 4_500n), cap(22_500n)).kind).toBe('replace');
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

  it.each([
    ['moved nothing of ours', 'succeeded', [], 'succeeded'],
    ['failed', 'failed', [], 'failed'],
    ['moved something of ours', 'succeeded', [moved()], 'mismatched'],
    ['failed and moved something', 'failed', [moved()], 'mismatched'],
  ] as const)('of a delegation that %s', (_, status, transfers, verdict) => {
    for (const action of ['delegate', 'deploy'] as const)
      expect(verdictOn(action, promised, { status }, transfers)).toBe(verdict);
  });

  // hits mark: an-unread-sweep-is-looked-at
  it('of a sweep is its status, where its blocks were read for the token', () => {
    for (const status of ['succeeded', 'failed'] as const) {
      expect(verdictOn('sweep', promised, { status }, [moved()])).toBe(status);
      expect(verdictOn('sweep', promised, { status }, null)).toBe('mismatched');
    }
  });

  // hits mark: swept-by-its-own-transfers
  it.each([
    ['nothing', [], 'failed', 0n],
    ['what another address had', [moved({ from: '0xother' })], 'failed', 0n],
    ['what was promised', [moved()], 'succeeded', 5n],
    ['more, in two transfers', [moved(), moved({ position: 'log:1' })], 'succeeded', 10n],
    ['something to another address', [moved(), moved({ to: '0xother' })], 'mismatched', 0n],
    ['another currency', [moved({ amount: amountOf(1002, 5n) })], 'mismatched', 0n],
  ] as const)('of one address of a sweep that moved %s', (_, transfers, verdict, units) => {
    const result = sweptBy(promised, transfers);
    expect([result.verdict, unitsOf(result.moved)]).toEqual([verdict, units]);
  });

  it('keeps a promise by all that was promised', () => {
    const isKept = (change: Partial<Transfer>) => keepsPromise(promised, moved(change));
    expect(isKept({})).toBe(true);
    expect(isKept({ from: '0xother' })).toBe(false);
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

  it.each<readonly [number, number, number | null, string | null]>([
    [5, 5, null, null],
    [5, 5, 5, null],
    [5, 6, 5, 'nonce 5 was used by a transaction that is not in the books'],
    [5, 4, null, 'nonce 4 is free again: a final transaction of ours is gone'],
    [6, 6, 5, 'nonce 5 was used by another transaction than ours'],
  ])('that stop a sender: %s booked, %s reported, %s open: %s', (booked, reported, lowestOpen, reason) => {
    expect(reasonToStop({ booked, reported, lowestOpen })).toBe(reason);
  });
});

describe('the outlook of an open transaction', () => {
  const one = { isHeld: false, mayBeUnread: false, nonce: null, expiresAtMs: null };
  it.each([
    ['a nonce that is free', { ...one, nonce: 5 }, 5, 'open'],
    ['a nonce that another one used', { ...one, nonce: 5 }, 6, 'overtaken'],
    ['a nonce that nobody was asked for', { ...one, nonce: 5 }, null, 'open'],
    ['a used nonce beside skipped blocks', { ...one, nonce: 5, mayBeUnread: true }, 6, 'unread'],
    ['a free nonce beside skipped blocks', { ...one, nonce: 5, mayBeUnread: true }, 5, 'open'],
    ['a used nonce in a block of ours', { ...one, nonce: 5, isHeld: true }, 6, 'held'],
    ['an expiry in the second of the final block', { ...one, expiresAtMs: 100_000 }, null, 'open'],
    ['an expiry before the final block', { ...one, expiresAtMs: 99_999 }, null, 'expired'],
    ['an expiry beside skipped blocks', { ...one, expiresAtMs: 1, mayBeUnread: true }, null, 'unread'],
  ] as const)('by %s', (_, open, reported, outlook) => {
    expect(outlookOf(open, { reported, finalTime: 100 })).toBe(outlook);
  });
});
