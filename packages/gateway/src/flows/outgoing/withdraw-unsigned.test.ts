// A payout is approved anew in the moment in which the signer looks at it with the approval of before.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { fundApp } from '@ducat/testkit/api/paying-out';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, START_TIME, TEST_LEASE, USDT } from '@ducat/testkit/fixtures';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { approvePayout } from '../payouts/approve-payout.ts';
import { createPayout } from '../payouts/create-payout.ts';
import { requestOutgoing } from './request-outgoing.ts';
import { withdrawUnsigned } from './withdraw-unsigned.ts';

const nowMs = START_TIME * 1_000;
let database: TestDatabase;
const run = (sql: string) => database.transact((tx) => tx.write(sql, []));

beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 1 });
  await fundApp(database, 'app_1', USDT, 1_000n);
  const call = { appId: 'app_1', idempotencyKey: 'key:1', signature: '1', inputHash: '', callbackUrl: null };
  const money = { amount: amountOf(USDT, 100n), gas: amountOf(USDT, 7n), value: 1n };
  const fees = { networkFee: amountOf(1000, 5n), feeCap: amountOf(1000, 50n) };
  const currency = eth.currencies.find(({ currencyId }) => currencyId === USDT)!;
  const to = { chain: eth, currency, toAddress: '0xto', codeStep: undefined, nowMs };
  const subject = { kind: 'payout', id: 'pay_1', approval: null } as const;
  const asked = { chain: eth, subject, from: '0xwallet', to: '0xto', amount: money.amount, sweeping: null };
  await database.transact((tx) => createPayout(tx, { tradeNo: 'pay_1', ...call, ...money, ...fees, ...to }));
  await run('UPDATE payouts SET claimed = true');
  await run(
    "INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('evm', 9, '0xwallet', 'wallet')",
  );
  await database.transact((tx) =>
    requestOutgoing(tx, { outgoingId: 'out_1', ...asked, feeCap: fees.feeCap, nowMs }),
  );
  await run(
    "INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ('pay-ETH', 1, 'test', 0, 0)",
  );
});
afterAll(() => database?.drop());

async function prepared(): Promise<void> {
  await run("UPDATE outgoing_transactions SET state = 'prepared', nonce = 7");
  await run(`INSERT INTO outgoing_variants (outgoing_id, ordinal, chain, intent, prepared_at_ms)
    VALUES ('out_1', 1, 'ETH', '{}', 1)`);
}
async function outgoing() {
  const [row] = await database.reader.read<{ readonly subject: string }>(
    'SELECT state, next_at_ms, trouble, failures, subject FROM outgoing_transactions',
    [],
  );
  return { ...row, subject: JSON.parse(row?.subject ?? '') };
}

it('is tried again at once with the approval that came while the signer refused, and later without one', async () => {
  await prepared();
  const look = {
    outgoingId: 'out_1',
    dueAtMs: nowMs,
    nextAtMs: nowMs + 60_000,
    trouble: 'the signer refuses: approval-unknown',
  };
  const withdraw = (dueAtMs: number) =>
    database.transact((tx) =>
      withdrawUnsigned(tx, { chain: 'ETH', look: { ...look, dueAtMs }, nowMs: nowMs + 5, lease: TEST_LEASE }),
    );
  const approval = { approver: 'bob', feeCap: 50n, signature: 'ab'.repeat(64), expiry: START_TIME + 60 };
  const approvedAtMs = nowMs + 3;
  expect(await database.transact((tx) => approvePayout(tx, 'pay_1', { ...approval, approvedAtMs }))).toBe(
    'moved',
  );
  expect(await withdraw(nowMs)).toBe(true);
  expect(await outgoing()).toMatchObject({
    state: 'waiting',
    next_at_ms: approvedAtMs,
    trouble: null,
    failures: 0,
    subject: { approval: { approver: 'bob' } },
  });
  await prepared();
  expect(await withdraw(approvedAtMs)).toBe(true);
  expect(await outgoing()).toMatchObject({ next_at_ms: nowMs + 60_000, trouble: look.trouble, failures: 1 });
});
