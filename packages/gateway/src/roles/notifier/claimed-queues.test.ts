// Shows how much is prefetched for a quick receiver, and that the lease of what waits too long is released.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { describe, expect, it } from 'vitest';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { ClaimedQueues, quickMs, type Sent } from './claimed-queues.ts';
import { defaultNotifierLimits } from './parts.ts';

let made = 0;

function deliveries(count: number, receiver = 'shop.test', appId = 'app_1'): readonly ClaimedDelivery[] {
  return Array.from({ length: count }, () => ({
    eventId: `${receiver}${made++}`,
    appId,
    receiver,
    tradeNo: 'ord_1',
    status: 'PAID',
    url: `https://${receiver}/`,
    body: '{}',
    attempt: 1,
    scheduledAttempt: 1,
    dueAtMs: 0,
  }));
}

function open(change: Partial<typeof defaultNotifierLimits> = {}) {
  made = 0;
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

function prefetchOf(claimed: ClaimedQueues): number {
  return claimed.prefetch(claimed.places)[0]?.deliveries ?? 0;
}

describe('a queue', () => {
  it('makes eight attempts at once, and the next as soon as one has ended, recorded or not', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(20), 0);
    expect(begun).toHaveLength(8);
    expect(begun[0]!.sent(1)).toBe(true);
    expect(begun.at(-1)!.eventId).toBe('shop.test8');
    expect(begun).toHaveLength(9);
    expect(claimed.places).toHaveLength(8);
  });

  it('has more prefetched for each quick end, nothing after a slow one, and never more than its room', async () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(8), 0);
    expect(prefetchOf(claimed)).toBe(0);
    const endAll = () => {
      for (const one of begun.splice(0)) {
        one.sent(1);
        one.recorded();
      }
      return claimed.allDone();
    };
    await endAll();
    // As by a claim that was slower than all eight.
    claimed.take(deliveries(8), 0);
    expect(prefetchOf(claimed)).toBe(16);
    await endAll();
    claimed.prepareClaim();
    claimed.take(deliveries(8), 0);
    // The queue had nothing left when the claim began.
    expect(prefetchOf(claimed)).toBe(0);
    for (let turn = 0; turn < 250; turn++) {
      const one = begun.shift()!;
      one.sent(1);
      one.recorded();
      claimed.take(deliveries(1), 0);
    }
    await waitUntil('all records', () => prefetchOf(claimed) === 384);
    claimed.take(deliveries(364), 0);
    expect(prefetchOf(claimed)).toBe(20);
    begun.shift()!.sent(null);
    expect(prefetchOf(claimed)).toBe(0);
  });

  it.each([
    [1, 384],
    [50, 160],
    [100, 80],
  ])('whose last attempt took %d ms has no more prefetched than it takes in a second: %d', (tookMs, most) => {
    const { claimed, begun } = open();
    claimed.take(deliveries(8), 0);
    for (let turn = 0; turn < 250; turn++) {
      begun.shift()!.sent(tookMs);
      claimed.take(deliveries(1), 0);
    }
    // Those that are being recorded count as well, so nothing is left of the room.
    for (const one of begun) one.recorded();
    expect(prefetchOf(claimed)).toBe(Math.max(0, most - 250));
  });

  it('has its ends counted until they are recorded, so that a slow database holds it back', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(8), 0);
    let taken = 8;
    for (let one = begun.shift(); one !== undefined; one = begun.shift()) {
      one.sent(1);
      const room = prefetchOf(claimed);
      claimed.take(deliveries(room), 0);
      taken += room;
    }
    expect(taken).toBe(8 + 384);
    expect(prefetchOf(claimed)).toBe(0);
    expect(claimed.places).toHaveLength(8);
  });
});

describe('nothing is prefetched', () => {
  it('while half of all places are taken, or of the share of its app', () => {
    const few = open({ maxUnderWay: 64, maxPerReceiver: 4 });
    few.claimed.take(deliveries(4), 0);
    few.begun[0]!.sent(1);
    expect(prefetchOf(few.claimed)).toBe(2);
    few.claimed.take(deliveries(4, 'second.test'), 0);
    expect(prefetchOf(few.claimed)).toBe(2);
    few.claimed.take(deliveries(1, 'third.test'), 0);
    expect(prefetchOf(few.claimed)).toBe(0);

    const crowded = open({ maxUnderWay: 64, maxPerReceiver: 4 });
    crowded.claimed.take(deliveries(4), 0);
    crowded.begun[0]!.sent(1);
    for (let app = 2; app <= 8; app++) crowded.claimed.take(deliveries(4, 'shop.test', `app_${app}`), 0);
    expect(prefetchOf(crowded.claimed)).toBe(2);
    crowded.claimed.take(deliveries(1, 'shop.test', 'app_9'), 0);
    expect(prefetchOf(crowded.claimed)).toBe(0);
  });

  it('for a queue that has places left: what is prefetched follows in places that are its own', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(7), 0);
    begun[0]!.sent(1);
    expect(prefetchOf(claimed)).toBe(0);
    claimed.take(deliveries(1), 0);
    expect(prefetchOf(claimed)).toBe(2);
  });
});

describe('what waits', () => {
  it('has its lease released after two seconds, whether or not a place comes free', () => {
    const { claimed, clock, begun } = open();
    claimed.take(deliveries(10), 0);
    clock.advance(2_000);
    expect(claimed.takeOverdue(false)).toEqual([]);
    clock.advance(1);
    expect(begun[0]!.sent(1)).toBe(false);
    expect(begun).toHaveLength(8);
    expect(claimed.takeOverdue(false).map(({ eventId }) => eventId)).toEqual(['shop.test8', 'shop.test9']);
    expect(claimed.takeOverdue(false)).toEqual([]);

    claimed.take(deliveries(12, 'dead.test'), 2_001);
    clock.advance(2_001);
    expect(claimed.takeOverdue(false)).toHaveLength(4);
  });

  it('has its lease released at a stop', () => {
    const { claimed, begun } = open();
    claimed.take(deliveries(10), 0);
    claimed.stop();
    claimed.take(deliveries(1, 'other.test'), 0);
    expect(claimed.takeOverdue(true)).toHaveLength(3);
    expect(begun[0]!.sent(1)).toBe(false);
    expect(begun).toHaveLength(8);
  });
});

describe('a receiver is quick', () => {
  it.each([
    ['delivered', 100, 100],
    ['delivered', 101, null],
    ['http-status', 1, null],
  ])('when it was %s after %d ms: %s', (outcome, durationMs, quick) => {
    expect(quickMs(outcome, durationMs)).toBe(quick);
  });
});
