// Which outgoing transactions a round of the payer gets.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, USDT } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { requestOutgoing } from '../../../flows/outgoing/request-outgoing.ts';
import { readDueOutgoing } from './due-outgoing.ts';
import { putOff } from './look-again.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
       VALUES (NULL, 'evm', 0, '0xwallet', 'wallet'), ('app_1', 'evm', 0, '0xother', 'wallet')`,
      [],
    );
  });
  for (const number of [1, 2, 3]) await request(number, '0xwallet');
});
afterAll(() => database?.drop());

const request = (number: number, from: string) =>
  database.transact((tx) =>
    requestOutgoing(tx, {
      outgoingId: `out_${number}`,
      chain: eth,
      subject: { kind: 'payout', id: `pay_${number}`, approval: null },
      from,
      to: '0xthem',
      amount: amountOf(USDT, 5n),
      feeCap: amountOf(1000, 1n),
      nowMs: number,
    }),
  );

const query = { chain: eth.name, nativeId: 1000, nowMs: 10, only: null } as const;
const dueIds = async (limit: number) =>
  (await readDueOutgoing(database.reader, { ...query, limit })).map(({ outgoingId }) => outgoingId);
const run = (sql: string) => database.transact((tx) => tx.write(sql, []));

it('are those that were begun, whatever queue waits before them', async () => {
  await run("UPDATE outgoing_transactions SET state = 'signed', nonce = 0 WHERE outgoing_id = 'out_3'");
  const due = await readDueOutgoing(database.reader, { ...query, limit: 1 });
  expect(due.map(({ outgoingId, state }) => [outgoingId, state])).toEqual([
    ['out_1', 'waiting'],
    ['out_3', 'signed'],
  ]);
  const named = await readDueOutgoing(database.reader, { ...query, limit: 1, only: 'out_2' });
  expect(named.map(({ outgoingId }) => outgoingId)).toEqual(['out_2']);
});

it('are those of each sender in turn, however long the queue of another one is', async () => {
  await request(4, '0xother');
  await request(5, '0xother');
  // The oldest of each, and what was begun.
  expect(await dueIds(2)).toEqual(['out_1', 'out_3', 'out_4']);
  expect(await dueIds(9)).toEqual(['out_1', 'out_2', 'out_3', 'out_4', 'out_5']);
});

it('go out in the order of nonces where a reorg makes all of them due, and no look of before puts one off', async () => {
  await run(`UPDATE outgoing_transactions SET state = 'signed', nonce = 5 - right(outgoing_id, 1)::integer
    WHERE outgoing_id IN ('out_1', 'out_2', 'out_3')`);
  const [looked] = await readDueOutgoing(database.reader, { ...query, limit: 9, only: 'out_1' });
  // As a reorg writes it, which takes them out of their blocks.
  await run("UPDATE outgoing_transactions SET next_at_ms = 9 WHERE state = 'signed'");
  const { outgoingId, dueAtMs } = looked!;
  const look = { outgoingId, dueAtMs, nextAtMs: 60_000, trouble: null };
  await database.transact((tx) => putOff(tx, [look], 10));
  expect(await dueIds(2)).toEqual(['out_4', 'out_5', 'out_3', 'out_2']);
  expect((await dueIds(9)).slice(2)).toEqual(['out_3', 'out_2', 'out_1']);
  await database.transact((tx) => putOff(tx, [{ ...look, dueAtMs: 9 }], 10));
  expect((await dueIds(9)).slice(2)).toEqual(['out_3', 'out_2']);
});
