// Whatever is asked of a payout, and how often: it ends once, and what it bound is paid out or released, once.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transfer } from '../chain/transfer.ts';
import type { Entry } from '../ledger/entry.ts';
import { bookReservation } from '../ledger/payout-recipes.ts';
import { amountOf, unitsOf } from '../money/amount.ts';
import type { TransferEvent } from '../webhook/event.ts';
import type { Payout, PayoutStatus } from './payout.ts';
import {
  adoptPayment,
  type AdoptedTransfer,
  approvePayout,
  cancelPayout,
  declinePayout,
  claimPayout,
  completePayout,
  endMismatched,
  failPayout,
  type HandWord,
  type Moved,
  type OddTransaction,
  startPayout,
  type Unmoved,
} from './transition.ts';

const usdt = (units: bigint) => amountOf(1001, units);
const fresh: Payout = {
  tradeNo: 'pay_1',
  appId: 'app_1',
  chain: 'ETH',
  currencyId: 1001,
  source: 'available',
  toAddress: '0xto',
  amount: usdt(1_000n),
  serviceCharge: usdt(3n),
  gas: usdt(40n),
  receipt: usdt(1_000n),
  reserved: usdt(1_043n),
  networkFee: amountOf(1000, 9n),
  feeCap: amountOf(1000, 90n),
  status: 'PROGRESS',
  needsApproval: false,
  approvedUntil: null,
  isClaimed: false,
  createTime: 100,
  startTime: null,
};
const started: Payout = { ...fresh, isClaimed: true, status: 'CONFIRMING-PROGRESS', startTime: 200 };
const promised: Transfer = {
  chain: 'ETH',
  txId: '0xaa',
  position: 'log:0',
  from: '0xwallet',
  to: '0xto',
  amount: usdt(1_000n),
  block: { number: 7, hash: '0xb7', time: 500 },
};
const proof = { txId: '0xbb', time: 600 };

const steps: Readonly<Record<string, (payout: Payout) => Moved | Unmoved>> = {
  approve: (payout) => approvePayout(payout, 1_000, false),
  approveBriefly: (payout) => approvePayout(payout, 150, false),
  claim: (payout) => claimPayout(payout, 200),
  start: (payout) => startPayout(payout, 200),
  approveAnew: (payout) => approvePayout(payout, 1_000, true),
  complete: (payout) => completePayout(payout, promised),
  completeLess: (payout) => completePayout(payout, { ...promised, amount: usdt(999n) }),
  completeMore: (payout) => completePayout(payout, { ...promised, amount: usdt(1_001n) }),
  completeElsewhere: (payout) => completePayout(payout, { ...promised, to: '0xelse' }),
  completeOnAnotherChain: (payout) => completePayout(payout, { ...promised, chain: 'BSC' }),
  fail: (payout) => failPayout(payout, proof),
  cancel: (payout) => cancelPayout(payout, false),
  cancelWaiting: (payout) => cancelPayout(payout, true),
  decline: (payout) => declinePayout(payout, 200, false),
  declineWaiting: (payout) => declinePayout(payout, 200, true),
};

const ends: readonly PayoutStatus[] = ['PAID', 'FAIL', 'CANCEL'];
const allowed: Readonly<Record<PayoutStatus, readonly PayoutStatus[]>> = {
  PROGRESS: ['PROGRESS', 'CONFIRMING-PROGRESS', 'CANCEL'],
  'CONFIRMING-PROGRESS': ['CONFIRMING-PROGRESS', 'PAID', 'FAIL'],
  PAID: [],
  FAIL: [],
  CANCEL: [],
};

describe('a payout', () => {
  it('goes from state to state as decided, and ends once with one entry and at most one event', () => {
    const names = fc.array(fc.constantFrom(...Object.keys(steps)), { maxLength: 20 });
    fc.assert(
      fc.property(names, fc.boolean(), (asked, needsApproval) => {
        let payout: Payout = { ...fresh, needsApproval };
        const entries: Entry[] = [];
        const events: TransferEvent[] = [];
        for (const name of asked) {
          const step = steps[name]!(payout);
          if (step.outcome !== 'moved') continue;
          expect(allowed[payout.status]).toContain(step.payout.status);
          payout = step.payout;
          entries.push(...step.entries);
          events.push(...step.events);
        }
        const isEnded = ends.includes(payout.status);
        expect(entries).toHaveLength(isEnded ? 1 : 0);
        expect(events.map(({ status }) => status)).toEqual(
          payout.status === 'PAID' || payout.status === 'FAIL' ? [payout.status] : [],
        );
        const frozen = [bookReservation(payout), ...entries]
          .flatMap(({ postings }) => postings)
          .filter(({ account }) => account.kind === 'frozen')
          .reduce((sum, { amount }) => sum + unitsOf(amount), 0n);
        expect(frozen).toBe(isEnded ? 0n : 1_043n);
      }),
    );
  });

  const claimed = { ...fresh, isClaimed: true };
  const waiting = { ...fresh, needsApproval: true };
  const outcomeOf = (name: string, payout: Payout) => steps[name]!(payout).outcome;

  // hits mark: claimed-only-when-approved
  // hits mark: approved-anew-only-while-it-waits
  // hits mark: paid-exactly-as-promised
  // hits mark: cancelled-only-while-it-waits
  // hits mark: declined-only-before-an-approval
  it.each([
    ['cancel', fresh, 'moved'],
    ['cancel', claimed, 'on-its-way'],
    ['cancel', started, 'on-its-way'],
    ['cancelWaiting', claimed, 'moved'],
    ['cancelWaiting', started, 'on-its-way'],
    ['decline', fresh, 'not-asked'],
    ['decline', waiting, 'moved'],
    ['decline', { ...waiting, approvedUntil: 201 }, 'approved'],
    ['decline', { ...waiting, approvedUntil: 200 }, 'moved'],
    ['decline', { ...waiting, isClaimed: true }, 'on-its-way'],
    ['declineWaiting', { ...waiting, isClaimed: true }, 'moved'],
    ['decline', { ...started, needsApproval: true }, 'on-its-way'],
    ['claim', claimed, 'on-its-way'],
    ['claim', waiting, 'not-approved'],
    ['claim', { ...waiting, approvedUntil: 201 }, 'moved'],
    ['claim', { ...waiting, approvedUntil: 200 }, 'not-approved'],
    ['start', fresh, 'not-claimed'],
    ['start', { ...claimed, needsApproval: true, approvedUntil: 200 }, 'moved'],
    ['start', started, 'on-its-way'],
    ['complete', claimed, 'not-started'],
    ['complete', started, 'moved'],
    ['completeLess', started, 'mismatch'],
    ['completeMore', started, 'mismatch'],
    ['completeElsewhere', started, 'mismatch'],
    ['completeOnAnotherChain', started, 'mismatch'],
    ['fail', fresh, 'not-started'],
    ['fail', { ...started, status: 'PAID' }, 'ended'],
    ['approve', started, 'on-its-way'],
    ['approve', claimed, 'at-the-signer'],
    ['approveAnew', started, 'moved'],
    ['approveAnew', { ...started, status: 'PAID' }, 'ended'],
  ] as const)('%s', (name, payout, outcome) => {
    expect(outcomeOf(name, payout)).toBe(outcome);
  });

  it.each([
    ['less than was promised', [400n, 599n], [400n, 599n], 999n],
    ['in parts what was promised', [400n, 600n], [400n, 600n], 1_000n],
    ['more than was promised', [400n, 700n], [400n, 600n], 1_000n],
    ['all of it, and then more', [1_000n, 1n], [1_000n], 1_000n],
  ])('that a person ends as failed keeps %s, and no unit beyond', (_, parts, adopted, kept) => {
    const left = parts.map((units, place) => ({
      ...promised,
      position: `log:${place}`,
      amount: usdt(units),
      disposition: 'outgoing' as const,
      isTaken: false,
    }));
    const odd = { ...proof, from: '0xwallet', status: 'succeeded' as const, left };
    const ended = endMismatched(started, odd, { status: 'FAIL', isSeconded: true });
    const entries = ended.outcome === 'moved' ? ended.entries : [];
    const unitsIn = (fact: string, kind: string) =>
      entries
        .filter((entry) => entry.fact === fact)
        .flatMap(({ postings }) => postings.filter(({ account }) => account.kind === kind))
        .map(({ amount }) => unitsOf(amount));
    expect(unitsIn('adoption', 'sent')).toEqual(adopted.map((units) => -units));
    expect(entries.filter(({ fact }) => fact === 'adoption')).toHaveLength(adopted.length);
    expect(unitsIn('release', 'sent')).toEqual([kept]);
    expect(unitsIn('release', 'available')).toEqual([1_043n - kept]);
    expect(ended).toMatchObject({ kept: usdt(kept) });
  });

  it('is booked so that fees go to their accounts and the rest to the recipient', () => {
    const paid = completePayout(started, promised);
    const postings = paid.outcome === 'moved' ? paid.entries[0]!.postings : [];
    expect(postings.map(({ account, amount }) => [account.kind, account.owner, unitsOf(amount)])).toEqual([
      ['frozen', 'app_1', -1_043n],
      ['sent', 'ETH', 1_000n],
      ['fee', 'gateway', 3n],
      ['network-charge', 'gateway', 40n],
    ]);
  });
});

const factsOf = (step: Moved | Unmoved) =>
  step.outcome === 'moved' ? step.entries.map(({ fact }) => fact) : [];

describe('what a step leaves behind', () => {
  const event = { type: 'TRANSFER', tradeNo: 'pay_1' };
  it.each<readonly [string, Payout, Partial<Payout>, readonly string[], readonly object[]]>([
    ['claim', fresh, { isClaimed: true }, [], []],
    ['start', { ...fresh, isClaimed: true }, { status: 'CONFIRMING-PROGRESS', startTime: 200 }, [], []],
    ['approve', fresh, { approvedUntil: 1_000 }, [], []],
    ['approve', { ...fresh, approvedUntil: 1_001 }, { approvedUntil: 1_001 }, [], []],
    ['cancel', fresh, { status: 'CANCEL' }, ['release'], []],
    [
      'complete',
      started,
      { status: 'PAID' },
      ['payout'],
      [{ ...event, status: 'PAID', txId: '0xaa', time: 500 }],
    ],
    [
      'fail',
      started,
      { status: 'FAIL' },
      ['release'],
      [{ ...event, status: 'FAIL', txId: '0xbb', time: 600 }],
    ],
  ])('%s', (name, payout, change, facts, events) => {
    const step = steps[name]!(payout);
    expect(step).toMatchObject({ outcome: 'moved', payout: { ...payout, ...change }, events });
    expect(factsOf(step)).toEqual(facts);
  });

  it.each<readonly [string, PayoutStatus, string]>([
    ['claim', 'CONFIRMING-PROGRESS', 'on-its-way'],
    ['claim', 'CANCEL', 'ended'],
    ['start', 'FAIL', 'ended'],
    ['cancel', 'PAID', 'ended'],
    ['complete', 'PAID', 'ended'],
    ['approve', 'CANCEL', 'ended'],
    ['approve', 'FAIL', 'ended'],
  ])('%s of one that is %s: nothing, as it is %s', (name, status, outcome) => {
    expect(steps[name]!({ ...started, status })).toEqual({ outcome });
  });
});

describe('a transfer that a person says paid', () => {
  const outflow: AdoptedTransfer = { ...promised, disposition: 'outgoing' };
  const event = { type: 'TRANSFER', tradeNo: 'pay_1', status: 'PAID', txId: '0xaa', time: 500 };

  it.each<readonly [string, Payout, AdoptedTransfer['disposition'], readonly string[], number]>([
    ['that was not started, by an outflow', fresh, 'outgoing', ['adoption', 'payout'], 500],
    ['that was started, by an outflow', started, 'outgoing', ['adoption', 'payout'], 200],
    ['that was started, by what was sent for it', started, 'sent', ['payout'], 200],
  ])('ends a payout %s', (_, payout, disposition, facts, startTime) => {
    const step = adoptPayment(payout, { ...outflow, disposition });
    const paid = { ...payout, status: 'PAID', isClaimed: true, startTime };
    expect(step).toMatchObject({ outcome: 'moved', payout: paid, events: [event] });
    expect(factsOf(step)).toEqual(facts);
  });

  it.each<readonly [string, Partial<Payout>, Partial<AdoptedTransfer>, string]>([
    ['one unit less', {}, { amount: usdt(999n) }, 'mismatch'],
    ['one unit more', {}, { amount: usdt(1_001n) }, 'mismatch'],
    ['another currency', {}, { amount: amountOf(1002, 1_000n) }, 'mismatch'],
    ['another chain', {}, { chain: 'BSC' }, 'mismatch'],
    ['another recipient', {}, { to: '0xelse' }, 'mismatch'],
    ['one that was paid', { status: 'PAID' }, {}, 'ended'],
    ['one that failed', { status: 'FAIL' }, {}, 'ended'],
    ['one that was cancelled', { status: 'CANCEL' }, {}, 'ended'],
  ])('is not taken for %s', (_, payout, transfer, outcome) => {
    expect(adoptPayment({ ...started, ...payout }, { ...outflow, ...transfer })).toEqual({ outcome });
  });
});

describe('a person’s word on a transaction that the books cannot decide about', () => {
  const part = { ...promised, amount: usdt(400n), disposition: 'outgoing', isTaken: false } as const;
  const odd: OddTransaction = { ...proof, from: '0xwallet', status: 'succeeded', left: [] };
  const word = (status: HandWord['status'], isSeconded = true) => ({ status, isSeconded });

  it('ends it as paid where nothing of it was read: the wallet holds so much less', () => {
    const step = endMismatched(started, odd, word('PAID'));
    expect(step).toMatchObject({
      payout: { ...started, status: 'PAID' },
      events: [{ type: 'TRANSFER', tradeNo: 'pay_1', status: 'PAID', txId: '0xbb', time: 600 }],
    });
    expect(factsOf(step)).toEqual(['sent-unread', 'payout']);
  });

  it('ends it as failed, and gives back all of it where its recipient got nothing', () => {
    const elsewhere = [
      { ...part, to: '0xelse' },
      { ...part, isTaken: true },
      { ...part, chain: 'BSC' },
    ];
    const step = endMismatched(started, { ...odd, left: elsewhere }, word('FAIL'));
    expect(step).toMatchObject({
      payout: { ...started, status: 'FAIL' },
      events: [{ type: 'TRANSFER', tradeNo: 'pay_1', status: 'FAIL', txId: '0xbb', time: 600 }],
    });
    expect(factsOf(step)).toEqual(['release']);
  });

  it.each<readonly [string, Partial<Payout>, Partial<OddTransaction>, HandWord, string]>([
    ['paid, and something was read', {}, { left: [part] }, word('PAID'), 'mismatch'],
    ['paid, and it failed', {}, { status: 'failed' }, word('PAID'), 'mismatch'],
    ['failed, and it paid', {}, { left: [part, { ...part, disposition: 'sent' }] }, word('FAIL'), 'mismatch'],
    ['failed, and it failed', {}, { status: 'failed' }, word('FAIL'), 'moved'],
    ['paid, alone', { needsApproval: true }, {}, word('PAID', false), 'second-person'],
    ['failed, alone', { needsApproval: true }, {}, word('FAIL', false), 'second-person'],
    ['paid, by two', { needsApproval: true }, {}, word('PAID'), 'moved'],
    ['paid, alone where that is enough', {}, {}, word('PAID', false), 'moved'],
    ['paid, before anything was signed', { status: 'PROGRESS' }, {}, word('PAID'), 'ended'],
    ['paid, twice', { status: 'PAID' }, {}, word('PAID'), 'ended'],
  ])('that it is %s', (_, payout, change, said, outcome) => {
    expect(endMismatched({ ...started, ...payout }, { ...odd, ...change }, said).outcome).toBe(outcome);
  });
});
