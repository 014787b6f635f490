// Outflows of wallets without a transaction of ours: an operator sees the payouts that each would fit, and ends none here.
import { dashboardOperations } from '@ducat/contract/dashboard/registry';
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { insertEnding } from '../../../db/tables/payouts/payout-endings.ts';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886e0f7030069857d2e4169ee7';
let shop: DashboardShop;
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  const { appId } = shop.api.payment;
  const other = await shop.api.addApp('PAYMENT');
  await run(
    `INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
     VALUES ($1, 'evm', 0, '0xwallet', 'wallet'), ($2, 'evm', 0, '0xother', 'wallet')`,
    appId,
    other.appId,
  );
  await run(
    `INSERT INTO payouts (trade_no, app_id, idempotency_key, signature, input_hash, chain, currency_id, to_address,
       amount, service_charge, gas, receipt, reserved, fee_currency_id, network_fee, fee_cap, status, needs_approval,
       create_time)
     VALUES ('pay_x', $1, 'k', 's', 'h', 'ETH', 1001, $2, 3000000, 0, 0, 3000000, 3000000, 1000, 1, 1, 'PROGRESS', true, 0)`,
    appId,
    TO,
  );
  for (const [txId, from, at] of [
    ['0xmine', '0xwallet', 900],
    ['0xtheirs', '0xother', 800],
  ] as const)
    await run(
      `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
         block_hash, block_time, state, disposition, from_address_id)
       SELECT 'ETH', $1, 'log:0', 0, 1001, $2, $3, 3000000, 80, '0xb', $4, 'final', 'outgoing', address_id
       FROM addresses WHERE address = $2`,
      txId,
      from,
      TO,
      at,
    );
});
afterAll(() => shop?.close());

function run(sql: string, ...values: readonly (string | number)[]) {
  return shop.api.database.transact((tx) => tx.write(sql, values));
}

it("shows each with the open payouts of its own wallet's app, until it was taken for one", async () => {
  const list = () => shop.ask('outflows.list', {}, shop.operator);
  const { outflows, is_cut_short: isCut } = await list();
  expect(outflows.map(({ transfer, amount, at, fits }) => [transfer, amount, at, fits])).toEqual([
    ['ETH/0xmine/log:0', '3', 900, ['pay_x']],
    ['ETH/0xtheirs/log:0', '3', 800, []],
  ]);
  expect([isCut, outflows[0]?.to.toLowerCase()]).toEqual([false, TO]);
  const transfer = { chain: 'ETH', txId: '0xmine', position: 'log:0' };
  const word = { tradeNo: 'pay_x', transfer, by: 'ann', approvedBy: null, reason: 'a test', atMs: 0 };
  await shop.api.database.transact((tx) => insertEnding(tx, word));
  expect((await list()).outflows.map(({ transfer: left }) => left)).toEqual(['ETH/0xtheirs/log:0']);
});

it('has no operation that ends a payout by a word', () => {
  const names = dashboardOperations.map(({ name }): string => name);
  expect(names.filter((name) => /^payouts\..*end/.test(name))).toEqual([]);
});
