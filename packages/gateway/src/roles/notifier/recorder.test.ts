// Shows which ends are recorded together, how long one waits for others, and that an outage loses none of them.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import type { EndedDelivery } from '../../flows/deliveries/record-delivery.ts';
import { Outage } from '../../runtime/outage.ts';
import type { SqlValue, Transact, Tx } from '../../db/postgres/tx.ts';
import { createHandClock } from '@ducat/testkit/hand-clock';
import { Recorder } from './recorder.ts';

function end(eventId: string, attempt = 1): EndedDelivery {
  const times = { startedAtMs: 0, endedAtMs: 1 };
  return { eventId, attempt, scheduledAttempt: attempt, ...times, outcome: 'delivered', httpStatus: 200 };
}

/**
 * A recorder whose statements are kept until they are let go; each answers that all its ends were news, but the first
 * so many times that another transaction holds the event `a`.
 */
function open(lockedTimes = 0) {
  let lockedLeft = lockedTimes;
  const clock = createHandClock(0);
  const sent: { readonly ids: readonly SqlValue[]; answer(): void; fail(error: unknown): void }[] = [];
  const troubles: string[] = [];
  const write = (_: string, values: readonly SqlValue[]) =>
    new Promise<readonly unknown[]>((resolve, reject) => {
      const [ids] = values;
      if (!Array.isArray(ids)) throw new Error('the first value is a list of ids');
      const isLocked = (id: unknown) => id === 'a' && lockedLeft-- > 0;
      const rows = ids.map((id: unknown) => ({ event_id: id, done: isLocked(id) ? 'locked' : 'written' }));
      sent.push({ ids, answer: () => resolve(rows), fail: reject });
    });
  // A statement that waits for the test stands in for a slow database.
  const transact: Transact = (flow) => flow({ read: write, write } as unknown as Tx);
  const observer = {
    onAttempt: () => undefined,
    onDied: () => undefined,
    onBroken: () => undefined,
    onTrouble: (where: string) => troubles.push(where),
  };
  let abandoned = false;
  const recorder = new Recorder({ transact, world: clock, observer }, () => abandoned);
  return { recorder, clock, sent, troubles, abandon: () => (abandoned = true) };
}

async function statements(sent: readonly unknown[], count: number): Promise<void> {
  await waitUntil(`statement ${count}`, () => sent.length === count);
}

describe('what ends while a statement runs', () => {
  it('goes into the next together, of each event one at a time', async () => {
    const { recorder, sent } = open();
    const first = recorder.record(end('a'), false);
    await statements(sent, 1);
    const later = [end('b'), end('c'), end('b', 2)].map((one) => recorder.record(one, false));
    sent[0]!.answer();
    expect(await first).toBe('delivered');
    await statements(sent, 2);
    sent[1]!.answer();
    await statements(sent, 3);
    sent[2]!.answer();
    expect(await Promise.all(later)).toEqual(['delivered', 'delivered', 'delivered']);
    expect(sent.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c'], ['b']]);
  });
});

describe('a patient end', () => {
  it('waits ten milliseconds for others', async () => {
    const { recorder, clock, sent } = open();
    void recorder.record(end('a'), true);
    void recorder.record(end('b'), true);
    expect(clock.asked).toEqual([10]);
    clock.advance(9);
    expect(sent).toEqual([]);
    clock.advance(1);
    await statements(sent, 1);
    expect(sent[0]!.ids).toEqual(['a', 'b']);
  });

  it('goes with the first that is not, or with the sixty-fourth', async () => {
    const { recorder, clock, sent } = open();
    const all = [recorder.record(end('a'), true), recorder.record(end('b'), false)];
    await statements(sent, 1);
    sent[0]!.answer();
    await Promise.all(all);
    for (let place = 0; place < 64; place++) void recorder.record(end(`c${place}`), true);
    await statements(sent, 2);
    expect(sent.map(({ ids }) => ids.length)).toEqual([2, 64]);
    expect(clock.nowMs()).toBe(0);
  });
});

describe('an outage', () => {
  it('is tried again with growing pauses, with what ended meanwhile, and given up after ten tries', async () => {
    const { recorder, clock, sent, troubles } = open();
    const first = recorder.record(end('a'), false);
    const pauses: number[] = [];
    let second: Promise<unknown> | null = null;
    for (let tries = 1; tries <= 10; tries++) {
      await statements(sent, tries);
      second ??= recorder.record(end('b'), false);
      sent[tries - 1]!.fail(new Outage('away', { retryable: true }));
      await waitUntil('the pause', () => clock.asked.filter((ms) => ms >= 250).length === tries);
      pauses.push(clock.asked.at(-1) ?? Number.NaN);
      clock.advance(pauses.at(-1) ?? Number.NaN);
    }
    expect(await first).toBeNull();
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000]);
    expect(troubles).toHaveLength(10);
    await statements(sent, 11);
    expect(sent[10]!.ids).toEqual(['b']);
    sent[10]!.answer();
    expect(await second).toBe('delivered');
  });

  it('is over with the notifier: what is left is reported as not recorded', async () => {
    const { recorder, clock, sent, abandon } = open();
    const recorded = recorder.record(end('a'), false);
    await statements(sent, 1);
    sent[0]!.fail(new Outage('away', { retryable: true }));
    await waitUntil('the pause', () => clock.asked.includes(250));
    abandon();
    clock.advance(250);
    expect(await recorded).toBeNull();
    expect(sent).toHaveLength(1);
  });
});

describe('an end whose event another transaction holds', () => {
  it('waits for a later turn, with growing pauses, while others are recorded', async () => {
    const { recorder, clock, sent } = open(2);
    const all = [recorder.record(end('a'), true), recorder.record(end('b'), false)];
    await statements(sent, 1);
    sent[0]!.answer();
    expect(await all[1]).toBe('delivered');
    await waitUntil('the pause', () => clock.asked.includes(250));
    const other = recorder.record(end('c'), false);
    await statements(sent, 2);
    expect(sent[1]!.ids).toEqual(['c']);
    sent[1]!.answer();
    expect(await other).toBe('delivered');
    await waitUntil('the rest of the pause', () => clock.asked.filter((ms) => ms === 250).length > 1);
    clock.advance(250);
    await statements(sent, 3);
    sent[2]!.answer();
    await waitUntil('the longer pause', () => clock.asked.includes(500));
    const patient = recorder.record(end('d'), true);
    await statements(sent, 4);
    sent[3]!.answer();
    expect(await patient).toBe('delivered');
    await waitUntil('the rest of the pause', () => clock.asked.filter((ms) => ms === 500).length > 1);
    clock.advance(500);
    await statements(sent, 5);
    sent[4]!.answer();
    expect(await all[0]).toBe('delivered');
    expect(sent.slice(2).map(({ ids }) => ids)).toEqual([['a'], ['d'], ['a']]);
  });
});

describe('what one end of several may have caused', () => {
  it('is a wait for a lock: the batch is halved until it is alone, which waits for a later turn', async () => {
    const { recorder, sent, troubles, clock } = open();
    const all = ['a', 'b', 'c'].map((id, place) => recorder.record(end(id), place < 2));
    const cause = new pg.DatabaseError('lock timeout', 0, 'error');
    cause.code = '55P03';
    for (const [place, fails] of [true, true, true, false, false].entries()) {
      await statements(sent, place + 1);
      if (fails) sent[place]!.fail(new Outage('busy', { retryable: true, cause }));
      else sent[place]!.answer();
    }
    expect(await Promise.all(all.slice(1))).toEqual(['delivered', 'delivered']);
    expect(sent.map(({ ids }) => ids)).toEqual([['a', 'b', 'c'], ['a', 'b'], ['a'], ['b'], ['c']]);
    expect(troubles).toHaveLength(3);
    await waitUntil('the pause', () => clock.asked.some((ms) => ms >= 250));
    clock.advance(5_000);
    await statements(sent, 6);
    sent[5]!.answer();
    expect(await all[0]).toBe('delivered');
  });

  it('is a bug: it is handed to that one alone', async () => {
    const { recorder, sent } = open();
    const all = Promise.allSettled(['a', 'b'].map((id, place) => recorder.record(end(id), place < 1)));
    for (const [place, fails] of [true, true, false].entries()) {
      await statements(sent, place + 1);
      if (fails) sent[place]!.fail(new Error('integer out of range'));
      else sent[place]!.answer();
    }
    expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });
});
