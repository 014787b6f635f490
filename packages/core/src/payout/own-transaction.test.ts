// What a payout's own transaction proves: only what excludes every other outcome lets a person end it.
import { describe, expect, it } from 'vitest';
import type { OutgoingState } from '../outgoing/outgoing.ts';
import {
  adoptionOf,
  areOthersOver,
  failureOf,
  isInNoBlock,
  type KnownHeights,
  type OwnTransaction,
  type OwnVariant,
} from './own-transaction.ts';

/** The books hold all blocks from 100, and the newest final one is a millisecond younger than the expiry. */
const heights: KnownHeights = { startNumber: 100, finalTime: 2_000, haltedReason: null };
const dead: OwnVariant = { txId: 'other', expiresAtMs: 1_999_999, reference: 100, isHeld: false };
const sameNonce: OwnVariant = { txId: 'other', expiresAtMs: null, reference: null, isHeld: false };
const paid: OwnVariant = { ...sameNonce, txId: 'paid' };
const transaction: OwnTransaction = { state: 'signed', txId: null, endedAtMs: null, variants: [paid] };

/** Each of these may still be included, or nobody can know that it was not. */
const undecided: readonly (readonly [string, Partial<OwnVariant>, Partial<KnownHeights>])[] = [
  ['that was never signed', { txId: null }, {}],
  ['that a block holds', { isHeld: true }, {}],
  ['that expires with the newest final block', { expiresAtMs: 2_000_000 }, {}],
  ['without a reference block', { reference: null }, {}],
  ['whose first blocks were skipped', { reference: 99 }, {}],
  ['on a chain that is halted', {}, { haltedReason: 'a deep fork' }],
  ['on a chain without a start', {}, { startNumber: null }],
  ['on a chain without a final block', {}, { finalTime: null }],
];

describe('where another transfer is taken for the payment', () => {
  it.each<readonly [OutgoingState, string]>([
    ['waiting', 'taken-back'],
    ['prepared', 'on-its-way'],
    ['signed', 'on-its-way'],
    ['succeeded', 'on-its-way'],
    ['failed', 'nothing'],
    ['mismatched', 'nothing'],
    ['cancelled', 'nothing'],
  ])('a transaction that is %s is %s', (state, adoption) => {
    expect(adoptionOf({ ...transaction, state }, 'elsewhere', heights)).toBe(adoption);
  });

  it('one that has only its place pays nothing, whichever transfer that is', () => {
    expect(adoptionOf({ ...transaction, state: 'prepared' }, 'paid', heights)).toBe('on-its-way');
  });

  it('there is nothing to look at without a transaction', () => {
    expect(adoptionOf(null, 'paid', heights)).toBe('nothing');
  });

  it.each<readonly [string, readonly OwnVariant[], string]>([
    ['alone', [paid], 'succeeded'],
    ['alone, before its expiry', [{ ...dead, txId: 'paid', expiresAtMs: 3_000_000 }], 'succeeded'],
    ['beside others of its nonce', [sameNonce, paid, sameNonce], 'succeeded'],
    ['beside one that has expired for good', [dead, paid], 'succeeded'],
    ['and is none of its own', [sameNonce], 'on-its-way'],
  ])('one of its own that stands %s', (_, variants, adoption) => {
    expect(adoptionOf({ ...transaction, variants }, 'paid', heights)).toBe(adoption);
  });

  it.each(undecided)('one of its own beside one %s', (_, variant, changed) => {
    const variants = [paid, { ...dead, ...variant }];
    expect(adoptionOf({ ...transaction, variants }, 'paid', { ...heights, ...changed })).toBe('on-its-way');
  });
});

describe('one that ended in a skipped block', () => {
  it.each<readonly [string, readonly OwnVariant[], boolean, boolean]>([
    ['alone', [paid], true, true],
    ['itself in a block', [{ ...dead, txId: 'paid', isHeld: true }], true, true],
    ['one of its nonce', [paid, sameNonce], true, true],
    ['one of its nonce that a block holds', [paid, { ...sameNonce, isHeld: true }], false, false],
    ['one that has expired', [paid, dead], true, false],
    ['one that expires now', [paid, { ...dead, expiresAtMs: 2_000_000 }], false, false],
    ['one that has expired in a block', [paid, { ...dead, isHeld: true }], false, false],
    ['one that lives and one of its nonce', [{ ...dead, expiresAtMs: 2_000_001 }, sameNonce], false, false],
  ])('beside %s', (_, variants, bySuccess, byFailure) => {
    const isOver = (status: 'succeeded' | 'failed') =>
      areOthersOver({ variants }, { txId: 'paid', status }, heights.finalTime);
    expect([isOver('succeeded'), isOver('failed')]).toEqual([bySuccess, byFailure]);
  });

  it('proves nothing of one that expires while no block is final', () => {
    expect(areOthersOver({ variants: [dead] }, { txId: 'paid', status: 'succeeded' }, null)).toBe(false);
  });
});

describe('the proof of a failure', () => {
  const waiting: OwnTransaction = {
    ...transaction,
    state: 'waiting',
    variants: [{ ...dead, txId: 'first' }, { ...dead, txId: 'second' }, dead],
  };

  it.each<readonly [string, OwnTransaction | null, object | null]>([
    ['no transaction', null, null],
    [
      'one that failed',
      { ...transaction, state: 'failed', txId: 'own', endedAtMs: 5_999 },
      { txId: 'own', time: 5 },
    ],
    ['one that failed, nobody knows which', { ...transaction, state: 'failed', endedAtMs: 5_999 }, null],
    ['one that failed, nobody knows when', { ...transaction, state: 'failed', txId: 'own' }, null],
    ['one that succeeded', { ...waiting, state: 'succeeded', txId: 'own', endedAtMs: 5_999 }, null],
    ['one that waits, and nothing of it lives', waiting, { txId: 'other', time: 2_000 }],
    ['one that is signed', { ...waiting, state: 'signed' }, null],
    ['one that waits and was never built', { ...waiting, variants: [] }, null],
  ])('of %s', (_, own, proof) => {
    expect(failureOf(own, heights)).toEqual(proof);
  });

  it.each(undecided)('is none where one waits %s', (_, variant, changed) => {
    const variants = [{ ...dead, ...variant }, dead];
    expect(failureOf({ ...waiting, variants }, { ...heights, ...changed })).toBeNull();
    expect(failureOf({ ...waiting, variants: variants.toReversed() }, { ...heights, ...changed })).toBeNull();
  });

  it('is none where one has no expiry: its nonce may come for ever', () => {
    expect(failureOf({ ...waiting, variants: [{ ...dead, expiresAtMs: null }] }, heights)).toBeNull();
  });
});

describe('a search of skipped blocks', () => {
  // The books begin at 100; what refers to block 49 can stand in 50 and above.
  const early: OwnVariant = { ...dead, reference: 49 };
  const searched = { from: 50, to: 99, time: 1_500 };

  it.each<readonly [string, Partial<typeof searched>, boolean]>([
    ['up to the books', {}, true],
    ['from before', { from: 49 }, true],
    ['that begins too late', { from: 51 }, false],
    ['that ends too early', { to: 98 }, false],
    ['that ends early, behind the expiry', { to: 60, time: 2_000 }, true],
    ['that ends early, at the expiry', { to: 60, time: 1_999 }, false],
  ])('%s', (_, change, isProven) => {
    expect(isInNoBlock({ variants: [early, early] }, { ...searched, ...change }, heights)).toBe(isProven);
  });

  it.each(undecided.filter(([, { reference }]) => reference !== 99))(
    'proves nothing of one %s',
    (_, variant, changed) => {
      const variants = [early, { ...early, ...variant }];
      const all = { ...searched, from: 0 };
      expect(isInNoBlock({ variants }, all, { ...heights, ...changed })).toBe(false);
    },
  );

  it('proves nothing of one that never expires, or of none', () => {
    expect(isInNoBlock({ variants: [{ ...early, expiresAtMs: null }] }, searched, heights)).toBe(false);
    expect(isInNoBlock({ variants: [] }, searched, heights)).toBe(false);
  });
});
