// Which outgoing transactions a round of the payer gets.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, USDT } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { requestOutgoing } from '../../../flows/outgoing/request-outgoing.ts';
import { readDueOutgoing } from './due-outgoing.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await database.transact(async (tx) => {
    await tx.write(
      "INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('evm', 0, '0xwallet', 'wallet')",
      [],
    );
    for (const number of [1, 2, 3])
      await requestOutgoing(tx, {
        outgoingId: `out_${number}`,
        chain: eth,
        subject: { kind: 'payout', id: `pay_${number}`, approval: null },
        from: '0xwallet',
        to: '0xthem',
        amount: amountOf(USDT, 5n),
        feeCap: amountOf(1000, 1n),
        nowMs: number,
      });
  });
});
afterAll(() => database?.drop());

it('are those that were begun, whatever queue waits before them', async () => {
  await database.transact((tx) =>
    tx.write("UPDATE outgoing_transactions SET state = 'signed', nonce = 0 WHERE outgoing_id = 'out_3'", []),
  );
  const query = { chain: eth.name, nativeId: 1000, nowMs: 10, limit: 1, only: null } as const;
  const due = await readDueOutgoing(database.reader, query);
  expect(due.map(({ outgoingId, state }) => [outgoingId, state])).toEqual([
    ['out_1', 'waiting'],
    ['out_3', 'signed'],
  ]);
  const named = await readDueOutgoing(database.reader, { ...query, only: 'out_2' });
  expect(named.map(({ outgoingId }) => outgoingId)).toEqual(['out_2']);
});
