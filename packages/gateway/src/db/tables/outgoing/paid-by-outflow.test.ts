// Whether an outflow has paid a waiting payout is found without the other transfers of its wallet, however many there are.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, START_TIME, USDT } from '@ducat/testkit/fixtures';
import { explainReads, planModes } from '@ducat/testkit/reports/explained-reads';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { requestOutgoing } from '../../../flows/outgoing/request-outgoing.ts';
import { readDueOutgoing } from './due-outgoing.ts';

const PAYOUTS = 64;
const query = { chain: eth.name, nativeId: 1000, nowMs: 1_000, limit: PAYOUTS } as const;

let database: TestDatabase;
let walletId = 0;
const run = (sql: string, values: readonly (string | number)[] = []) =>
  database.transact(async (tx) => {
    await tx.write(`SET LOCAL session_replication_role = 'replica'`, []);
    return tx.write<{ id: number }>(sql, values);
  }, 'unhurried');

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  const [wallet] = await run(
    `INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
     VALUES ('app_1', 'evm', 0, '0xwallet', 'wallet') RETURNING address_id AS id`,
  );
  walletId = wallet?.id ?? 0;
  await insertTransfers('sent', 40_000, START_TIME);
  // One from each deposit address, so that an address seems to have few transfers.
  await insertTransfers('own', 40_000, START_TIME);
  await insertTransfers('outgoing', 3_000, START_TIME);
  // What paid the first payout.
  await insertTransfers('outgoing', 1, START_TIME + 200_000);
  await run(
    `INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
       to_address, units, fee_cap, state, tx_id, created_at_ms, ended_at_ms)
     SELECT 'old_' || n, 1, 'ETH', 'payout', 'old_' || n, '', $1, '0xthem' || n, 5, 1, 'succeeded', 'tx' || n, 0, 0
     FROM generate_series(1, 40000) AS n`,
    [USDT],
  );
  await insertPayouts('old_', 40_000, START_TIME);
  await insertPayouts('pay_', PAYOUTS, START_TIME + 100_000);
  for (let number = 1; number <= PAYOUTS; number++) await request(number);
  await database.reader.read('VACUUM ANALYZE', []);
});
afterAll(() => database?.drop());

/** Final transfers of 5 units, one a second from `fromS`. What is `own` comes from others than the wallet. */
function insertTransfers(disposition: string, count: number, fromS: number) {
  return run(
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, disposition, from_address_id)
     SELECT 'ETH', $1 || '_' || $3::bigint || '_' || n, '0', 0, $4, '', '0xthem' || n, 5, n, '', $3::bigint + n, 'final', $1,
       CASE WHEN $1 = 'own' THEN 1000000 + n ELSE $5::bigint END
     FROM generate_series(1, $2::integer) AS n`,
    [disposition, count, fromS, USDT, walletId],
  );
}

function insertPayouts(prefix: string, count: number, createTime: number) {
  return run(
    `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address, amount,
       service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval, claimed,
       create_time)
     SELECT $1 || n, 'app_1', $1 || n, $1 || n, '', 'ETH', $3, '0xthem' || n, 5, 0, 0, 5, 5, 1000, 1, 1, 'PROGRESS', false,
       true, $4
     FROM generate_series(1, $2::integer) AS n`,
    [prefix, count, USDT, createTime],
  );
}

function request(number: number) {
  return database.transact((tx) =>
    requestOutgoing(tx, {
      outgoingId: `out_${number}`,
      chain: eth,
      subject: { kind: 'payout', id: `pay_${number}`, approval: null },
      from: '0xwallet',
      to: `0xthem${number}`,
      amount: amountOf(USDT, 5n),
      feeCap: amountOf(1000, 1n),
      nowMs: number,
    }),
  );
}

it.each([
  ['all', null, PAYOUTS],
  ['one', 'out_1', 1],
] as const)('reads only outflows since the oldest of %s that are due', async (_, only, count) => {
  const reads = explainReads(database, null);
  const due = await readDueOutgoing(reads.reader, { ...query, only });
  expect(due).toHaveLength(count);
  expect(due.filter((one) => one.hasFittingOutflow).map(({ outgoingId }) => outgoingId)).toEqual(['out_1']);
  const explained = reads.take();
  expect(explained).toHaveLength(planModes.length);
  for (const one of explained) {
    expect(one.wholeReads).toEqual([]);
    expect(one.indexes).toContain('transfers_outgoing_by_time');
    expect(one.indexes).not.toContain('transfers_by_sender');
    expect(one.rows).toBeLessThanOrEqual(4 * PAYOUTS);
  }
});

it('reads no transfer where no payout waits', async () => {
  await run("UPDATE outgoing_transactions SET state = 'prepared', nonce = 0 WHERE outgoing_id = 'out_1'");
  const reads = explainReads(database, null);
  const [begun] = await readDueOutgoing(reads.reader, { ...query, only: 'out_1' });
  expect(begun?.hasFittingOutflow).toBe(false);
  for (const one of reads.take()) {
    expect(one.wholeReads).toEqual([]);
    expect(one.indexes).not.toContain('transfers_by_sender');
    expect(one.rows).toBeLessThanOrEqual(PAYOUTS + 1);
  }
});
