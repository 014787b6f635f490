// One process does what only one may do, and a process that lost its lease commits nothing any more.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Socket } from 'node:net';
import pg from 'pg';
import { Outage } from '../../runtime/outage.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import {
  type HeldLease,
  holdsLease,
  type Lease,
  lockLease,
  readLease,
  watchLease,
} from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { headerAt } from '@ducat/testkit/fixtures';
import { type AcceptedBlocks, acceptBlocks } from '../blocks/accept-blocks.ts';
import { endFrozenHolder } from './end-frozen-holder.ts';
import { haltChain } from '../blocks/halt-chain.ts';
import { releaseLease } from './release-lease.ts';
import { renewLeases } from './renew-leases.ts';
import { resumeChain } from '../blocks/resume-chain.ts';
import { takeLease } from './take-lease.ts';
import { undoBlocks } from '../blocks/undo-blocks.ts';

const name = watchLease(eth.name);
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});
afterEach(() => database.drop());

function take(holder: string, dead: Lease | null = null): Promise<number | null> {
  return database.transact((tx) => takeLease(tx, { name, holder, dead, nowMs: 0 }));
}

const renew = async (held: HeldLease) =>
  (await database.transact((tx) => renewLeases(tx, [{ name, ...held }])))[0];
const release = (held: HeldLease) => database.transact((tx) => releaseLease(tx, name, held));
const held = (holder: string, token: number): HeldLease => ({ holder, token });
const seen = () => readLease(database.reader, name);

function accept(number: number, lease: HeldLease): Promise<AcceptedBlocks> {
  return database.transact((tx) => acceptBlocks(tx, blockUnder(number, lease)));
}

function blockUnder(number: number, lease: HeldLease) {
  const block = { header: headerAt(number), transfers: [], proposals: [], inclusions: [], isProven: true };
  return { chain: eth, blocks: [block], nowMs: 0, lease };
}

const head = async () => (await readCursors(database.reader)).get(eth.name)?.head?.number ?? null;

describe('a lease', () => {
  it('goes to one of twenty that want it, before there is a row and after it was freed', async () => {
    const wanted = Array.from({ length: 20 }, (_, place) => `process-${place}`);
    const first = await Promise.all(wanted.map((holder) => take(holder)));
    expect(first.filter((token) => token !== null)).toEqual([1]);
    const [winner = ''] = wanted.filter((_, place) => first[place] === 1);
    expect(await release(held(winner, 1))).toBe(true);
    const second = await Promise.all(wanted.map((holder) => take(holder)));
    expect(second.filter((token) => token !== null)).toEqual([2]);
    expect((await seen())?.holder).toBe(wanted[second.indexOf(2)]);
  });

  it('is taken from a holder that did not renew, by one alone, and from no other', async () => {
    await take('a');
    const before = await seen();
    expect(await take('b')).toBeNull();
    expect(await renew(held('a', 1))).toBe(true);
    expect(await take('b', before)).toBeNull();
    const after = await seen();
    const tokens = await Promise.all(['b', 'c', 'd'].map((holder) => take(holder, after)));
    expect(tokens.filter((token) => token !== null)).toEqual([2]);
    const next = ['b', 'c', 'd'][tokens.indexOf(2)] ?? '';
    expect(await renew(held('a', 1))).toBe(false);
    expect(await release(held('a', 1))).toBe(false);
    expect(await renew(held(next, 2))).toBe(true);
  });

  it('lets nothing through under an older token: no block, no undoing, no halt', async () => {
    await take('a');
    expect(await accept(1, held('a', 1))).toMatchObject({ outcome: 'accepted' });
    expect(await take('b', await seen())).toBe(2);

    // hits mark: commits-under-its-lease
    expect(await accept(2, held('a', 1))).toEqual({ outcome: 'lease-lost' });
    const undo = {
      chain: eth.name,
      tip: { number: 1, hash: 'a1' },
      ancestor: null,
      nowMs: 0,
      lease: held('a', 1),
    };
    expect(await database.transact((tx) => undoBlocks(tx, undo))).toEqual({ outcome: 'lease-lost' });
    const halt = { chain: eth.name, reason: 'what the successor did', nowMs: 0, lease: held('a', 1) };
    expect(await database.transact((tx) => haltChain(tx, halt))).toBe('lease-lost');
    expect((await readCursors(database.reader)).get(eth.name)).toMatchObject({
      head: { number: 1 },
      haltedReason: null,
    });

    expect(await accept(2, held('b', 2))).toMatchObject({ outcome: 'accepted' });
    expect(await release(held('b', 2))).toBe(true);
    await take('a');
    expect(await accept(3, held('b', 2))).toEqual({ outcome: 'lease-lost' });
    expect(await database.transact((tx) => resumeChain(tx, eth.name, 0))).toBeNull();
  });

  it('is not taken over while a transaction under it is open, so nothing older commits afterwards', async () => {
    await take('a');
    const dead = await seen();
    const taken: (number | null)[] = [];
    let taking: Promise<unknown> = Promise.resolve();
    await database.transact(async (tx) => {
      expect(await holdsLease(tx, name, held('a', 1))).toBe(true);
      taking = take('b', dead).then((token) => taken.push(token));
      await waitUntil('the take-over to wait', async () => (await waiting()) === 1);
      expect(taken).toEqual([]);
    });
    await taking;
    expect(taken).toEqual([2]);
  });

  it('is renewed while a long transaction under it is open', async () => {
    await take('a');
    await database.transact(async (tx) => {
      expect(await holdsLease(tx, name, held('a', 1))).toBe(true);
      expect(await renew(held('a', 1))).toBe(true);
    });
    expect((await seen())?.renewals).toBe(1);
  });

  it('is renewed with others, of which one is lost and one is being taken over', async () => {
    const names = ['kept', 'lost', 'wanted'];
    const takeOf = (one: string, holder: string, dead: Lease | null) =>
      database.transact((tx) => takeLease(tx, { name: one, holder, dead, nowMs: 0 }));
    const leaseOf = (one: string) => readLease(database.reader, one);
    for (const one of names) await takeOf(one, 'a', null);
    await takeOf('lost', 'b', await leaseOf('lost'));
    const renewed = await database.transact(async (taking) => {
      await lockLease(taking, 'wanted');
      const own = names.map((one) => ({ name: one, ...held('a', 1) }));
      return database.transact((tx) => renewLeases(tx, own));
    });
    // The one that is locked is not renewed, but it is not lost either.
    expect(renewed).toEqual([true, false, true]);
    const renewals = await Promise.all(names.map(async (one) => (await leaseOf(one))?.renewals));
    expect(renewals).toEqual([1, 0, 0]);
  });

  it("is one holder's also where a failover lost a take-over and its token was given again", async () => {
    await take('b');
    await release(held('b', 1));
    expect(await take('a')).toBe(2);
    // The server that takes the place of the lost one never received it.
    await database.transact((tx) => tx.write('UPDATE leases SET token = 1, holder = NULL', []));
    expect(await take('c')).toBe(2);

    expect(await renew(held('a', 2))).toBe(false);
    expect(await accept(1, held('a', 2))).toEqual({ outcome: 'lease-lost' });
    expect(await release(held('a', 2))).toBe(false);
    expect((await seen())?.holder).toBe('c');
    expect(await renew(held('c', 2))).toBe(true);
    expect(await accept(1, held('c', 2))).toMatchObject({ outcome: 'accepted' });
    expect(await release(held('c', 2))).toBe(true);
    // A lease that is free has no holder, whichever process had its token last.
    expect(await accept(2, held('c', 2))).toEqual({ outcome: 'lease-lost' });
  });

  it('is kept by a holder that froze while it was sent to, until its session is ended', {
    timeout: 30_000,
  }, async () => {
    await take('a');
    const frozen = new pg.Client({ connectionString: database.url });
    frozen.on('error', () => undefined);
    await frozen.connect();
    try {
      await frozen.query('BEGIN');
      // Only what holdsLease does with the connection counts here.
      const tx = { read: async (sql: string, values: unknown[]) => (await frozen.query(sql, values)).rows };
      expect(await holdsLease(tx as unknown as Tx, name, held('a', 1))).toBe(true);
      const sent = frozen.query(`SELECT repeat('x', 1000) FROM generate_series(1, 50000)`);
      sent.catch(() => undefined);
      (frozen as unknown as { connection: { stream: Socket } }).connection.stream.pause();
      const dead = await seen();
      await expect(take('b', dead)).rejects.toMatchObject({ cause: { code: '55P03' } });

      const end = (lease: Lease) => database.transact((inner) => endFrozenHolder(inner, name, lease));
      expect(await end({ token: 1, holder: 'a', renewals: 99 })).toBe(0);
      expect(await end({ token: 1, holder: 'a', renewals: 0 })).toBe(1);
      expect(await take('b', dead)).toBe(2);
    } finally {
      (frozen as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
    }
  });

  it('is taken from a process that froze inside a transaction, whose commit then fails', {
    timeout: 30_000,
  }, async () => {
    await take('a');
    const dead = await seen();
    let thaw: () => void = () => undefined;
    const frozen = new Promise<void>((resolve) => {
      thaw = resolve;
    });
    let taking: Promise<number | null> = Promise.resolve(null);
    const zombie = database.transact(async (tx) => {
      const accepted = await acceptBlocks(tx, blockUnder(1, held('a', 1)));
      expect(accepted.outcome).toBe('accepted');
      taking = take('b', dead);
      await frozen;
    });
    await waitUntil('the take-over to be under way', async () => (await waiting()) === 1);
    expect(await taking).toBe(2);
    thaw();
    await expect(zombie).rejects.toBeInstanceOf(Outage);
    expect(await head()).toBeNull();
    expect(await accept(1, held('b', 2))).toMatchObject({ outcome: 'accepted' });
  });
});

/** Take-overs that wait for a lock on the lease. */
async function waiting(): Promise<number> {
  const rows = await database.reader.read<{ waiting: number }>(
    `SELECT count(*) AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM leases%FOR UPDATE'`,
    [],
  );
  return rows[0]?.waiting ?? 0;
}
