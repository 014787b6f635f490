// Shows how much is claimed ahead for a quick receiver, and that what waits too long is given back.
import { waitUntil } from '@ducat/devnet/wait-until';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../flows/claim-deliveries.ts';
import { createHandClock } from '../../testing/hand-clock.ts';
import { isQuick, ClaimedQueues, type Sent } from './claimed-queues.ts';
import { defaultNotifierLimits } from './parts.ts';

function deliveries(count: number, receiver = 'shop.test', appId = 'app_1'): readonly ClaimedDelivery[] {
  return Array.from({ length: count }, (_, place) => ({
    eventId: `${receiver}${place}`,
    appId,
    receiver,
    tradeNo: 'ord_1',
    status: 'PAID',
    url: `https://${receiver}/`,
    body: '{}',
    attempt: 1,
    attemptOnLadder: 1,
    dueAtMs: 0,
  }));
}

function open(change: Partial<typeof defaultNotifierLimits> = {}) {
  const clock = createHandClock(0);
  const begun: { readonly eventId: string; readonly sent: Sent; recorded(): void }[] = [];
  const claimed = new ClaimedQueues(
    { ...defaultNotifierLimits, ...change },
    clock,
    ({ eventId }, _claimedAtMs, sent) => {
      return new Promise((resolve) => begun.push({ eventId, sent, recorded: resolve }));
    },
  );
  return { claimed, clock, begun };
}

function aheadOf(claimed: ClaimedQueues): number {
  return claimed.ahead(claimed.places)[0]?.deliveries ?? 0;
}

describe('a queue', () => {
  it('makes eight attempts at once, and the next as soon as one has ended, recorded or not', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(20), 0);
    expect(begun).toHaveLength(8);
    expect(begun[0]!.sent(true)).toBe(true);
    expect(begun.at(-1)!.eventId).toBe('shop.test8');
    expect(begun).toHaveLength(9);
    expect(claimed.places).toHaveLength(8);
  });

  it('is given more ahead for each quick end, nothing after a slow one, and never more than its room', async () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(8), 0);
    expect(aheadOf(claimed)).toBe(0);
    for (const one of begun.splice(0)) {
      one.sent(true);
      one.recorded();
    }
    await claimed.allDone();
    claimed.take(deliveries(8), 0);
    // The queue was forgotten when it had nothing left.
    expect(aheadOf(claimed)).toBe(0);
    for (let turn = 0; turn < 100; turn++) {
      const one = begun.shift()!;
      one.sent(true);
      one.recorded();
      claimed.take(deliveries(1), 0);
    }
    await waitUntil('all records', () => aheadOf(claimed) === 120);
    claimed.take(deliveries(100), 0);
    expect(aheadOf(claimed)).toBe(20);
    begun.shift()!.sent(false);
    expect(aheadOf(claimed)).toBe(0);
  });

  it('has its ends counted until they are recorded, so that a slow database holds it back', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(8), 0);
    let taken = 8;
    for (let one = begun.shift(); one !== undefined; one = begun.shift()) {
      one.sent(true);
      const room = aheadOf(claimed);
      claimed.take(deliveries(room), 0);
      taken += room;
    }
    expect(taken).toBe(8 + 120);
    expect(aheadOf(claimed)).toBe(0);
    expect(claimed.places).toHaveLength(8);
  });
});

describe('nothing is claimed ahead', () => {
  it('while half of all places are taken, or of the share of its app', () => {
    const few = open({ maxUnderWay: 64, maxPerReceiver: 4 });
    few.claimed.take(deliveries(4), 0);
    few.begun[0]!.sent(true);
    expect(aheadOf(few.claimed)).toBe(2);
    few.claimed.take(deliveries(4, 'second.test'), 0);
    expect(aheadOf(few.claimed)).toBe(2);
    few.claimed.take(deliveries(1, 'third.test'), 0);
    expect(aheadOf(few.claimed)).toBe(0);

    const crowded = open({ maxUnderWay: 64, maxPerReceiver: 4 });
    crowded.claimed.take(deliveries(4), 0);
    crowded.begun[0]!.sent(true);
    for (let app = 2; app <= 8; app++) crowded.claimed.take(deliveries(4, 'shop.test', `app_${app}`), 0);
    expect(aheadOf(crowded.claimed)).toBe(2);
    crowded.claimed.take(deliveries(1, 'shop.test', 'app_9'), 0);
    expect(aheadOf(crowded.claimed)).toBe(0);
  });

  it('for a queue that has places left: what goes ahead follows in places that are its own', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(7), 0);
    begun[0]!.sent(true);
    expect(aheadOf(claimed)).toBe(0);
    claimed.take(deliveries(1), 0);
    expect(aheadOf(claimed)).toBe(2);
  });
});

describe('what waits', () => {
  it('is given back after two seconds, whether or not a place comes free', () => {
    const { claimed, clock, begun } = open();
    claimed.take(deliveries(10), 0);
    clock.advance(2_000);
    expect(claimed.takeOverdue(false)).toEqual([]);
    clock.advance(1);
    expect(begun[0]!.sent(true)).toBe(false);
    expect(begun).toHaveLength(8);
    expect(claimed.takeOverdue(false).map(({ eventId }) => eventId)).toEqual(['shop.test8', 'shop.test9']);
    expect(claimed.takeOverdue(false)).toEqual([]);

    claimed.take(deliveries(12, 'dead.test'), 2_001);
    clock.advance(2_001);
    expect(claimed.takeOverdue(false)).toHaveLength(4);
  });

  it('is given back at a stop', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(10), 0);
    claimed.stop();
    claimed.take(deliveries(1, 'other.test'), 0);
    expect(claimed.takeOverdue(true)).toHaveLength(3);
    expect(begun[0]!.sent(true)).toBe(false);
    expect(begun).toHaveLength(8);
  });
});

describe('a receiver is quick', () => {
  it.each([
    ['delivered', 100, true],
    ['delivered', 101, false],
    ['http-status', 1, false],
  ])('when it was %s after %d ms: %s', (outcome, durationMs, quick) => {
    expect(isQuick(outcome, durationMs)).toBe(quick);
  });
});
