// Energy that a collection had delegated is asked back once, and its address waits for that.
import { amountOf, zero } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, TEST_LEASE } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { insertCollection } from '../../../db/tables/collections/collections.ts';
import { readStakeInUse } from '../../../db/tables/collections/delegated-energy.ts';
import { takeBackEnergy, type TakeBackEnergy } from './take-back-energy.ts';

const native = 1000;
const [deposit, wallet, gasWallet, staker] = ['d1', 'a1', 'a2', 'e1'].map((byte) => `41${byte.repeat(20)}`);
const coin = (units: bigint) => amountOf(native, units);

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await database.transact(async (tx) => {
    await tx.write(`INSERT INTO leases VALUES ('collect-Tron', $1, $2, 0, 0)`, [
      TEST_LEASE.token,
      TEST_LEASE.holder,
    ]);
    const sql = `INSERT INTO addresses (app_id, family, derivation_index, address, purpose) VALUES ($1, 'tron', 0, $2, $3)`;
    await tx.write(sql, ['app_1', deposit ?? '', 'order']);
    await tx.write(sql, ['app_1', wallet ?? '', 'wallet']);
    await tx.write(sql, [null, gasWallet ?? '', 'wallet']);
  });
});
afterEach(() => database.drop());

/** False where the address is in work. */
function collect(collectionId: string): Promise<boolean> {
  return database.transact(async (tx) => {
    const [address] = await tx.read<{ address_id: number }>(
      'SELECT address_id FROM addresses WHERE address = $1',
      [deposit ?? ''],
    );
    return insertCollection(tx, 'tron', {
      collectionId,
      chain: 'Tron',
      addressId: address?.address_id ?? 0,
      wallet: wallet ?? '',
      amount: amountOf(1001, 5n),
      method: 'delegated',
      gas: coin(1n),
      funding: null,
      stake: { staker: { address: staker ?? '', permission: 2 }, amount: coin(7n) },
      cost: zero(native),
      nowMs: 0,
    });
  });
}

const takeBack = (change: Partial<TakeBackEnergy> = {}) =>
  database.transact((tx) =>
    takeBackEnergy(tx, {
      collectionId: 'col_1',
      outgoingId: 'out_1',
      chain: { name: 'Tron', family: 'tron' },
      nativeId: native,
      gasWallet: gasWallet ?? '',
      report: 'delegated',
      troubledBeforeMs: 0,
      nowMs: 1,
      lease: TEST_LEASE,
      ...change,
    }),
  );

const set = (sql: string) => database.transact((tx) => tx.write(sql, []));
const inUse = () =>
  readStakeInUse(database.reader, { chain: 'Tron', nativeId: native, staker: staker ?? '' });

it('is asked back by one of two at a time, and the address is free only once it is back', async () => {
  expect(await collect('col_1')).toBe(true);
  expect(await takeBack()).toEqual({ outcome: 'nothing' });
  expect(await inUse()).toEqual({ underway: coin(7n), delegated: coin(0n) });
  await set(
    `INSERT INTO senders (chain, address_id) SELECT 'Tron', address_id FROM addresses WHERE app_id IS NULL`,
  );
  await set(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject,
      currency_id, to_address, units, fee_cap, state, created_at_ms, ended_at_ms, tx_id, action, staker, permission)
    SELECT 'out_0', sender_id, 'Tron', 'funding', 'col_1.energy', '{}', ${native}, '${deposit}', 7, 1, 'succeeded', 0, 0,
      'aa', 'delegate', '${staker}', 2 FROM senders`);
  await set(`UPDATE collections SET state = 'collected', ended_at_ms = 0`);
  expect(await inUse()).toEqual({ underway: coin(0n), delegated: coin(7n) });
  expect(await takeBack({ lease: { ...TEST_LEASE, token: 9 } })).toEqual({ outcome: 'lease-lost' });
  expect(await takeBack({ report: null })).toMatchObject({ after: { kind: 'ask' } });
  const both = await Promise.all(['out_1', 'out_2'].map((outgoingId) => takeBack({ outgoingId })));
  const kinds = both.map((one) => (one.outcome === 'done' ? one.after.kind : one.outcome));
  expect(kinds.sort()).toEqual(['undelegate', 'wait']);
  const asked = `SELECT subject_id, action, units::text FROM outgoing_transactions WHERE state = 'waiting'`;
  expect(await database.reader.read(asked, [])).toEqual([
    { subject_id: 'col_1.return1', action: 'undelegate', units: '7' },
  ]);
  expect(await collect('col_2')).toBe(false);
  await set(`UPDATE outgoing_transactions SET state = 'succeeded', next_at_ms = NULL, ended_at_ms = 1, tx_id = 'bb'
    WHERE state = 'waiting'`);
  expect(await takeBack()).toMatchObject({ after: { kind: 'over', how: 'returned' } });
  expect(await collect('col_2')).toBe(true);
  expect(await inUse()).toEqual({ underway: coin(7n), delegated: coin(0n) });
});
