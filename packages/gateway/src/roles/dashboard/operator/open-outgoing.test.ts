// What is in flight, for operators: whose each line is, and the lines that a filter leaves.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

const TO = '0x52908400098527886e0f7030069857d2e4169ee7';

let shop: DashboardShop;
let payout = '';
beforeAll(async () => {
  shop = await startDashboardShop(inject('postgresAdminUrl'));
  const { database, payment, world } = shop.api;
  await shop.orderPaid('1042', '25.5', 25_500_000n);
  const asked = {
    merchant_id: 'mer_1',
    app_id: payment.appId,
    currency_id: 1001,
    amount: '5',
    to_address: TO,
  };
  const click = { request_id: 'click-0000000000001', most_cost: '9', fee_mode: 'on-top' } as const;
  payout = (await shop.ask('payouts.create', { ...asked, ...click })).payout.trade_no;
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
       VALUES (NULL, 'evm', 0, '0x00000000000000000000000000000000000000a1', 'wallet')`,
      [],
    );
    const [sender] = await tx.write<{ readonly id: number }>(
      `INSERT INTO senders (chain, address_id) SELECT 'ETH', address_id FROM addresses WHERE app_id IS NULL
       RETURNING sender_id AS id`,
      [],
    );
    const send = (id: string, kind: string, subject: string, state: string) =>
      tx.write(
        `INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
           to_address, units, fee_cap, state, next_at_ms, created_at_ms)
         VALUES ($1, $2, 'ETH', $3, $4, '{}', 1001, $5, 1, 1, $6, 0, $7)`,
        [id, sender?.id ?? 0, kind, subject, TO, state, world.nowMs()],
      );
    await send('out_1', 'payout', payout, 'waiting');
    await send('out_2', 'cold', 'cold_1', 'waiting');
    const collect = (id: string, sweepId: string | null) =>
      tx.write(
        `INSERT INTO collections (collection_id, chain, address_id, currency_id, wallet_id, units, method, gas, cost, state,
           started_at_ms, ended_at_ms, sweep_id)
         SELECT $1, 'ETH', d.address_id, 1001, w.address_id, 1,
           CASE WHEN $2::text IS NULL THEN 'funded' ELSE 'sponsored' END, 1, 1, 'collected', 0, 0, $2
         FROM addresses w, (SELECT min(address_id) AS address_id FROM addresses WHERE app_id IS NOT NULL) AS d
         WHERE w.app_id IS NULL`,
        [id, sweepId],
      );
    await collect('col_1', null);
    for (const id of ['col_2', 'col_3']) await collect(id, 'swp_1');
    await send('out_3', 'funding', 'col_1.gas', 'waiting');
    await send('out_4', 'collection', 'swp_1', 'waiting');
  });
});
afterAll(() => shop?.close());

const list = async (
  wish: { state?: 'waiting' | 'signed'; chain?: string; subject_merchant_id?: string } = {},
) => {
  const { transactions } = await shop.ask('outgoing.list-open', wish, shop.operator);
  return transactions.map((row) => [row.subject_id, row.merchant_id, row.app_name]);
};

it('names the merchant and the app of what leaves for one, and nobody for what the gateway moves for itself', async () => {
  const [{ name } = { name: '' }] = (await shop.ask('apps.list', { merchant_id: 'mer_1' })).apps;
  const ofPayout = [payout, 'mer_1', name];
  // What pays for a collection is for its merchant too, and so is a sweep of many addresses.
  const ofCollections = ['col_1.gas', 'swp_1'].map((id) => [id, 'mer_1', name]);
  expect(await list()).toEqual([ofPayout, ['cold_1', null, null], ...ofCollections]);
  expect(await list({ subject_merchant_id: 'mer_1', chain: 'ETH', state: 'waiting' })).toEqual([
    ofPayout,
    ...ofCollections,
  ]);
  expect(await list({ subject_merchant_id: 'mer_2' })).toEqual([]);
  expect(await list({ chain: 'BSC' })).toEqual([]);
  expect(await list({ state: 'signed' })).toEqual([]);
  expect(await shop.owner.call('outgoing.list-open', {})).toMatchObject({ status: 403 });
});
