// Who holds a lease, who stands by, and how soon the next one takes over, whatever the clocks say.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { releaseLease } from '../flows/leases/release-lease.ts';
import { takeLease } from '../flows/leases/take-lease.ts';
import { Outage } from './outage.ts';
import { type HeldLease, readLease } from '../db/tables/leases.ts';
import type { Reader, Transact } from '../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { createHandClock, type HandClock } from '@ducat/testkit/hand-clock';
import { createLeaseStore, RENEW_EVERY_MS } from './lease-store.ts';
import { LOOKS_UNTIL_DEAD, underLease } from './under-lease.ts';

/** A process with a clock of its own, which stands still until the test moves it. */
interface Candidate {
  readonly clock: HandClock;
  readonly ended: Promise<void>;
  /** The tokens it worked under; negative once that work was asked to end. */
  readonly tokens: readonly number[];
  readonly said: readonly string[];
  stop(): void;
}

let database: TestDatabase;
let candidates: Candidate[];

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  candidates = [];
});
afterEach(async () => {
  for (const candidate of candidates) candidate.stop();
  await Promise.all(candidates.map(({ ended }) => ended));
  await database.drop();
});

function start(
  holder: string,
  startMs: number,
  transact: Transact = database.transact,
  reader: Reader = database.reader,
): Candidate {
  const clock = createHandClock(startMs);
  const stopping = new AbortController();
  const [tokens, said]: [number[], string[]] = [[], []];
  const say = (_: object, message: string) => void said.push(message);
  const work = async ({ token }: HeldLease, signal: AbortSignal) => {
    tokens.push(token);
    await clock.sleep(Number.MAX_SAFE_INTEGER, signal);
    tokens.push(-token);
  };
  const ended = underLease(
    {
      name: 'work',
      holder,
      leases: createLeaseStore({ transact, reader }),
      world: clock,
      log: { debug: say, info: say, warn: say, error: say },
      onLease: (_, held) => void said.push(held ? 'held' : 'not held'),
    },
    stopping.signal,
    work,
  );
  const candidate = { clock, ended, tokens, said, stop: () => stopping.abort() };
  candidates.push(candidate);
  return candidate;
}

/** Lets one round of sleep pass in a process and waits until it sleeps again. */
async function pass({ clock }: Candidate, ms = RENEW_EVERY_MS): Promise<void> {
  const before = clock.asked.length;
  clock.advance(ms);
  await waitUntil('the process to sleep again', () => clock.asked.length > before);
}

const asleep = (candidate: Candidate, times = 1) =>
  waitUntil('the process to sleep', () => candidate.clock.asked.length >= times);
const holder = async () => (await readLease(database.reader, 'work'))?.holder;

describe('underLease', () => {
  it('lets one work and the other stand by, and hands over at once when the first stops', async () => {
    const a = start('a', 0);
    await asleep(a, 2);
    const b = start('b', 0);
    await asleep(b);
    expect([a.tokens, b.tokens]).toEqual([[1], []]);
    a.stop();
    await a.ended;
    await pass(b);
    await waitUntil('the other to work', () => b.tokens.length > 0);
    expect([a.tokens, b.tokens, await holder()]).toEqual([[1, -1], [2], 'b']);
    expect(a.said).toEqual(['holds a lease', 'held', 'gave a lease back', 'not held']);
  });

  it('takes over from a holder that shows no life, after so many looks and never by the clock', async () => {
    const a = start('a', 0);
    await asleep(a, 2);
    // Its clock is a year ahead, and leaps another year at each look.
    const b = start('b', 31_536_000_000);
    await asleep(b);
    for (let look = 1; look < LOOKS_UNTIL_DEAD; look++) await pass(b, 31_536_000_000);
    await pass(a);
    // Renewed in between: all looks count anew.
    for (let look = 0; look < LOOKS_UNTIL_DEAD; look++) await pass(b, 31_536_000_000);
    expect([b.tokens, await holder()]).toEqual([[], 'a']);
    b.clock.advance(RENEW_EVERY_MS);
    await waitUntil('the other to work', () => b.tokens.length > 0);

    // The first comes back to life: its next renewal fails, its work is ended, and it stands by.
    await pass(a);
    await waitUntil('the work of the first to end', () => a.tokens.length === 2);
    expect([a.tokens, b.tokens, await holder()]).toEqual([[1, -1], [2], 'b']);
    expect(a.said).toContain('lost a lease to another process');
  });

  it('works on through an outage of the database, since nobody can take over meanwhile', async () => {
    let isAway = false;
    const a = start('a', 0, (flow) => {
      if (isAway) throw new Outage('the database is away', { retryable: true });
      return database.transact(flow);
    });
    await asleep(a, 2);
    isAway = true;
    await pass(a);
    await pass(a);
    isAway = false;
    await pass(a);
    expect([a.tokens, await holder()]).toEqual([[1], 'a']);
  });

  it('counts its looks anew after one that found the database away', async () => {
    let isAway = false;
    const reader: Reader = {
      read: (...query) => {
        if (isAway) throw new Outage('the database is away', { retryable: true });
        return database.reader.read(...query);
      },
    };
    const a = start('a', 0);
    await asleep(a, 2);
    const b = start('b', 0, database.transact, reader);
    await asleep(b);
    for (let look = 1; look < LOOKS_UNTIL_DEAD; look++) await pass(b);
    isAway = true;
    await pass(b);
    isAway = false;
    for (let look = 1; look < LOOKS_UNTIL_DEAD; look++) await pass(b);
    expect([b.tokens, await holder()]).toEqual([[], 'a']);
    b.clock.advance(RENEW_EVERY_MS);
    await waitUntil('the other to work', () => b.tokens.length > 0);
  });

  it('ends the sessions of a holder that froze with the lease locked, and takes over at the next look', async () => {
    const a = start('a', 0);
    await asleep(a, 2);
    let failed = 0;
    const b = start('b', 0, async (flow, shape) => {
      if (failed > 0) return database.transact(flow, shape);
      failed++;
      const cause = new pg.DatabaseError('canceling statement due to lock timeout', 0, 'error');
      cause.code = '55P03';
      throw new Outage('the database cannot serve (55P03)', { retryable: true, cause });
    });
    await asleep(b);
    for (let look = 0; look < LOOKS_UNTIL_DEAD; look++) await pass(b);
    expect([failed, b.tokens, b.said.at(-2)]).toEqual([1, [], 'a holder is frozen']);
    b.clock.advance(RENEW_EVERY_MS);
    await waitUntil('the other to work', () => b.tokens.length > 0);
    expect([b.tokens, await holder()]).toEqual([[2], 'b']);
  });

  it('takes over from a holder that froze in the middle of a renewal', async () => {
    let [isFrozen, isInside] = [false, false];
    let thaw = (): void => undefined;
    const thawed = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    const a = start('a', 0, (flow, shape) =>
      database.transact(async (tx) => {
        const result = await flow(tx);
        isInside = isFrozen;
        if (isFrozen) await thawed;
        return result;
      }, shape),
    );
    await asleep(a, 2);
    isFrozen = true;
    a.clock.advance(RENEW_EVERY_MS);
    await waitUntil('the renewal', () => isInside);
    const b = start('b', 0);
    await asleep(b);
    for (let look = 1; look <= LOOKS_UNTIL_DEAD; look++) await pass(b);
    await waitUntil('the other to work', () => b.tokens.length > 0, { timeoutMs: 5_000 });
    expect([b.tokens, await holder()]).toEqual([[2], 'b']);
    thaw();
  });

  it('takes the lease that another process freed while it looked', async () => {
    const input = { name: 'work', holder: 'cli', dead: null, nowMs: 0 };
    const token = (await database.transact((tx) => takeLease(tx, input))) ?? 0;
    const a = start('a', 0);
    await asleep(a);
    await database.transact((tx) => releaseLease(tx, 'work', { token, holder: 'cli' }));
    await pass(a);
    await waitUntil('it to work', () => a.tokens.length > 0);
    expect(a.tokens).toEqual([2]);
  });

  it('renews all leases of a process by one statement, and ends the work of a lost one alone', async () => {
    const clock = createHandClock(0);
    const stopping = new AbortController();
    const written: string[] = [];
    const leases = createLeaseStore({
      reader: database.reader,
      transact: (flow, ...options) => {
        written.push(options[0] ?? '');
        return database.transact(flow, ...options);
      },
    });
    const ended: string[] = [];
    const ignore = () => undefined;
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const names = ['one', 'two', 'three', 'four'];
    const running = names.map((name) =>
      underLease(
        { name, holder: 'a', leases, world: clock, log, onLease: ignore },
        stopping.signal,
        async (_, signal) => {
          await clock.sleep(Number.MAX_SAFE_INTEGER, signal);
          ended.push(name);
        },
      ),
    );
    await waitUntil('all to work', () => clock.asked.length >= 2 * names.length);
    const dead = await readLease(database.reader, 'two');
    await database.transact((tx) => takeLease(tx, { name: 'two', holder: 'b', dead, nowMs: 0 }));
    written.length = 0;
    clock.advance(RENEW_EVERY_MS);
    await waitUntil('the work of the lost one to end', () => ended.length > 0);
    await waitUntil('the others to be renewed', async () => {
      const found = await Promise.all(names.map((name) => readLease(database.reader, name)));
      return found.filter((lease) => lease?.renewals === 1).length === names.length - 1;
    });
    expect(ended).toEqual(['two']);
    // The second is the attempt to give the lost lease back.
    expect(written.filter((option) => option === 'one-statement').length).toBeLessThanOrEqual(2);
    stopping.abort();
    await Promise.all(running);
  });

  it('gives the lease back when the work breaks, and ends with its error', async () => {
    const clock = createHandClock(0);
    const ignore = () => undefined;
    const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
    const leases = createLeaseStore(database);
    const lease = { name: 'work', holder: 'a', leases, world: clock, log, onLease: ignore };
    const broken = underLease(lease, new AbortController().signal, () => Promise.reject(new Error('broken')));
    await expect(broken).rejects.toThrow('broken');
    expect(await holder()).toBeNull();
  });
});
