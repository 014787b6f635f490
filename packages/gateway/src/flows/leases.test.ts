// One process does what only one may do, and a process that lost its lease commits nothing any more.
import { eth } from '@ducat/core/chain/definitions/eth';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { waitUntil } from '@ducat/devnet/wait-until';
import { Outage } from '../outage.ts';
import { readCursors } from '../store/cursors.ts';
import { holdsLease, type Lease, readLease, watchLease } from '../store/leases.ts';
import { openTestDatabase, type TestDatabase } from '../testing/database.ts';
import { headerAt, plainEncode } from '../testing/fixtures.ts';
import { acceptBlock, type AcceptedBlock } from './accept-block.ts';
import { haltChain } from './halt-chain.ts';
import { releaseLease } from './release-lease.ts';
import { renewLease } from './renew-lease.ts';
import { resumeChain } from './resume-chain.ts';
import { takeLease } from './take-lease.ts';
import { undoBlocks } from './undo-blocks.ts';

const name = watchLease(eth.name);
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
});
afterEach(() => database.drop());

function take(holder: string, dead: Lease | null = null): Promise<number | null> {
  return database.transact((tx) => takeLease(tx, { name, holder, dead, nowMs: 0 }));
}

const renew = (token: number) => database.transact((tx) => renewLease(tx, name, token));
const release = (token: number) => database.transact((tx) => releaseLease(tx, name, token));
const seen = () => readLease(database.reader, name);

function accept(number: number, leaseToken: number): Promise<AcceptedBlock> {
  const header = headerAt(number);
  const writing = { encode: plainEncode, newEventId: () => 'evt_1', nowMs: 0 };
  return database.transact((tx) =>
    acceptBlock(tx, { chain: eth, header, transfers: [], final: null, leaseToken, ...writing }),
  );
}

const head = async () => (await readCursors(database.reader)).get(eth.name)?.head?.number ?? null;

describe('a lease', () => {
  it('goes to one of twenty that want it, before there is a row and after it was freed', async () => {
    const wanted = Array.from({ length: 20 }, (_, place) => `process-${place}`);
    const first = await Promise.all(wanted.map((holder) => take(holder)));
    expect(first.filter((token) => token !== null)).toEqual([1]);
    expect(await release(1)).toBe(true);
    const second = await Promise.all(wanted.map((holder) => take(holder)));
    expect(second.filter((token) => token !== null)).toEqual([2]);
    expect((await seen())?.holder).toBe(wanted[second.indexOf(2)]);
  });

  it('is taken from a holder that did not renew, by one alone, and from no other', async () => {
    await take('a');
    const before = await seen();
    expect(await take('b')).toBeNull();
    expect(await renew(1)).toBe(true);
    expect(await take('b', before)).toBeNull();
    const after = await seen();
    const tokens = await Promise.all(['b', 'c', 'd'].map((holder) => take(holder, after)));
    expect(tokens.filter((token) => token !== null)).toEqual([2]);
    expect(await renew(1)).toBe(false);
    expect(await release(1)).toBe(false);
    expect(await renew(2)).toBe(true);
  });

  it('lets nothing through under an older token: no block, no undoing, no halt', async () => {
    await take('a');
    expect(await accept(1, 1)).toMatchObject({ outcome: 'accepted' });
    expect(await take('b', await seen())).toBe(2);

    // hits mark: commits-under-its-lease
    expect(await accept(2, 1)).toEqual({ outcome: 'lease-lost' });
    const undo = { chain: eth.name, tip: { number: 1, hash: 'a1' }, ancestor: null, nowMs: 0, leaseToken: 1 };
    expect(await database.transact((tx) => undoBlocks(tx, undo))).toEqual({ outcome: 'lease-lost' });
    const halt = { chain: eth.name, reason: 'what the successor did', nowMs: 0, leaseToken: 1 };
    expect(await database.transact((tx) => haltChain(tx, halt))).toBe('lease-lost');
    expect((await readCursors(database.reader)).get(eth.name)).toMatchObject({
      head: { number: 1 },
      haltedReason: null,
    });

    expect(await accept(2, 2)).toMatchObject({ outcome: 'accepted' });
    expect(await release(2)).toBe(true);
    await take('a');
    expect(await accept(3, 2)).toEqual({ outcome: 'lease-lost' });
    expect(await database.transact((tx) => resumeChain(tx, eth.name, 0))).toBeNull();
  });

  it('is not taken over while a transaction under it is open, so nothing older commits afterwards', async () => {
    await take('a');
    const dead = await seen();
    const taken: (number | null)[] = [];
    let taking: Promise<unknown> = Promise.resolve();
    await database.transact(async (tx) => {
      expect(await holdsLease(tx, name, 1)).toBe(true);
      taking = take('b', dead).then((token) => taken.push(token));
      await waitUntil('the take-over to wait', async () => (await waiting()) === 1);
      expect(taken).toEqual([]);
    });
    await taking;
    expect(taken).toEqual([2]);
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
      const accepted = await acceptBlock(tx, {
        chain: eth,
        header: headerAt(1),
        transfers: [],
        final: null,
        encode: plainEncode,
        newEventId: () => 'evt_1',
        nowMs: 0,
        leaseToken: 1,
      });
      expect(accepted.outcome).toBe('accepted');
      taking = take('b', dead);
      await frozen;
    });
    await waitUntil('the take-over to be under way', async () => (await waiting()) === 1);
    expect(await taking).toBe(2);
    thaw();
    await expect(zombie).rejects.toBeInstanceOf(Outage);
    expect(await head()).toBeNull();
    expect(await accept(1, 2)).toMatchObject({ outcome: 'accepted' });
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
