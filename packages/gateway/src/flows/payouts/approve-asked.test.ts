// A person of the dashboard approves no payout that they may have asked for themselves by the API.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, START_TIME, USDT } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { insertPerson } from '../../db/tables/access/people.ts';
import { approveAsked } from './approve-asked.ts';
import { createPayout } from './create-payout.ts';

const nowMs = START_TIME * 1000;
const dayMs = 86_400_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await fundApp(database, 'app_1', USDT, 1_000n);
  const call = { appId: 'app_1', idempotencyKey: 'key:1', signature: '1', inputHash: '', callbackUrl: null };
  const money = { amount: amountOf(USDT, 100n), gas: amountOf(USDT, 7n), value: 1n };
  const fees = { networkFee: amountOf(1000, 5n), feeCap: amountOf(1000, 50n) };
  const currency = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;
  const to = { chain: eth, currency, toAddress: '0xto', codeStep: undefined, nowMs };
  await database.transact((tx) => createPayout(tx, { tradeNo: 'pay_1', ...call, ...money, ...fees, ...to }));
});
afterAll(() => database.drop());

/** A person is shown a new key of the app. */
async function rotate(personId: string, atMs: number, sequence: number): Promise<void> {
  await database.transact(async (tx) => {
    const person = { personId, email: `${personId}@a.test`, name: 'A', isOperator: false };
    await insertPerson(tx, person, 0);
    await tx.write(
      `INSERT INTO audit_log SELECT $1, $2, $3, 'apps.rotate-key', merchant_id, app_id, '', '', '' FROM apps`,
      [sequence, atMs, personId],
    );
  });
}

// hits mark: approver-did-not-see-the-key
it('is no second person who was shown a key that worked then', async () => {
  await rotate('per_older', nowMs - 50 * dayMs, 1);
  await rotate('per_old', nowMs - 40 * dayMs, 2);
  await rotate('per_new', nowMs, 3);
  await rotate('per_later', nowMs + 5_000, 4);
  const approval = { approver: 'bob', feeCap: 50n, signature: 'ab'.repeat(64), expiry: START_TIME + 60 };
  const by = (personId: string) =>
    database.transact((tx) =>
      approveAsked(tx, { tradeNo: 'pay_1', personId, approval: { ...approval, approvedAtMs: nowMs } }),
    );
  // The key of the second may have worked on for thirty days beside the third.
  expect([await by('per_old'), await by('per_new')]).toEqual(['own-key', 'own-key']);
  expect([await by('per_older'), await by('per_later')]).toEqual(['moved', 'moved']);
});
