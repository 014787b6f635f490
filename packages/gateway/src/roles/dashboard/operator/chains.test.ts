// A chain or a currency that an operator stops takes no orders until it goes on.
import { type DashboardShop, startDashboardShop } from '@ducat/testkit/api/dashboard-shop';
import type { ReportedNonce } from '../data-port.ts';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';

let shop: DashboardShop;
let nonce: ReportedNonce | null = null;
/** What happens while the nodes are asked. */
let whileAsked: () => Promise<unknown> = async () => undefined;
beforeAll(async () => {
  const askNonce = async () => {
    await whileAsked();
    return nonce;
  };
  shop = await startDashboardShop(inject('postgresAdminUrl'), { askNonce });
});
afterAll(() => shop?.close());

it('lets operators pause a chain and a currency, which orders meet at once, and resume them as they were seen', async () => {
  await shop.ask('chains.pause', { chain: 'BSC', reason: 'node upgrade' }, shop.operator);
  const order = { out_trade_no: 'paused', currency_id: 2001, token_amount: '1' };
  expect(await shop.api.call('/api/order/create', order)).toMatchObject({ code: 20003 });
  const { chains } = await shop.ask('chains.list', {}, shop.operator);
  const bsc = chains.find(({ chain }) => chain === 'BSC')!;
  expect(bsc.halted_reason).toContain('node upgrade');
  const stale = { chain: 'BSC', halted_reason: 'another one' };
  expect(await shop.operator.call('chains.resume', stale)).toMatchObject({
    status: 409,
    body: { code: 'changed' },
  });
  await shop.ask('chains.resume', { chain: 'BSC', halted_reason: bsc.halted_reason ?? '' }, shop.operator);
  expect(await shop.api.call('/api/order/create', order)).toMatchObject({ code: 0 });
  await shop.ask('currencies.suspend', { currency_id: 2001, reason: 'depegged' }, shop.operator);
  const { currencies } = await shop.ask('currencies.list-all', {}, shop.operator);
  expect(currencies).toContainEqual(expect.objectContaining({ currency_id: 2001, suspended: 'depegged' }));
  const { incidents } = await shop.ask('incidents.list', {}, shop.operator);
  expect(incidents.map(({ kind }) => kind)).toContain('currency-suspended');
  await shop.ask('currencies.resume', { currency_id: 2001 }, shop.operator);
  expect(await shop.owner.call('chains.pause', { chain: 'BSC', reason: 'mine' })).toMatchObject({
    status: 403,
  });
  const { entries } = await shop.ask('audit-log.list-all', {}, shop.operator);
  expect(entries.map(({ operation }) => operation)).toContain('chains.pause');
});

it('lets an operator resume a stopped sender as it was seen, at the nonce that the nodes report', async () => {
  const { transact, reader } = shop.api.database;
  await shop.bookFinal(() => []);
  await transact((tx) =>
    tx.write(
      `INSERT INTO senders (chain, address_id, next_nonce, final_nonce, stopped_reason, stopped_at_ms)
       SELECT 'ETH', min(address_id), 3, 3, 'somebody else used nonce 3', 0 FROM addresses`,
      [],
    ),
  );
  const senders = async () => (await shop.ask('wallets.list', { chain: 'ETH' }, shop.operator)).senders;
  const [stopped] = await senders();
  const which = { sender_id: stopped!.sender_id, stopped_reason: stopped!.stopped_reason ?? '' };
  const resume = (change: object = {}) => shop.operator.call('senders.resume', { ...which, ...change });
  expect(await resume({ sender_id: 999 })).toMatchObject({ status: 404 });
  expect(await resume({ stopped_reason: 'another' })).toMatchObject({
    status: 409,
    body: { code: 'changed' },
  });
  expect(await resume()).toMatchObject({ status: 503 });
  nonce = { at: { number: 1 }, reported: 4 };
  expect(await resume()).toMatchObject({
    status: 503,
    body: { message: expect.stringContaining('meanwhile') },
  });
  const [cursor] = await reader.read<{ number: number }>(
    `SELECT final_number AS number FROM chain_cursors WHERE chain = 'ETH'`,
    [],
  );
  nonce = { at: { number: cursor!.number }, reported: 4 };
  expect(await resume()).toMatchObject({ status: 200, body: { failed: [] } });
  expect(await senders()).toMatchObject([{ stopped_reason: null, next_nonce: 4 }]);
  expect(await resume()).toMatchObject({ status: 409, body: { code: 'changed' } });
  // hits mark: resumed-as-it-was-seen
  const stop = (reason: string) =>
    transact((tx) => tx.write('UPDATE senders SET stopped_reason = $1, stopped_at_ms = 0', [reason]));
  await stop(which.stopped_reason);
  whileAsked = () => stop('somebody else used nonce 4');
  expect(await resume()).toMatchObject({ status: 409, body: { code: 'changed' } });
  expect(await senders()).toMatchObject([{ stopped_reason: 'somebody else used nonce 4' }]);
  const [entry] = (await shop.ask('audit-log.list-all', {}, shop.operator)).entries;
  expect(entry).toMatchObject({ operation: 'senders.resume', detail: which.stopped_reason });
});

it('says what the gas wallet gave in a day, to payouts as to collections', async () => {
  await shop.api.database.transact((tx) =>
    tx.write(
      `WITH gas AS (INSERT INTO addresses (family, derivation_index, address, purpose)
          VALUES ('evm', 0, '0x00000000000000000000000000000000000000a1', 'wallet') RETURNING address_id),
        s AS (INSERT INTO senders (chain, address_id) SELECT 'ETH', address_id FROM gas RETURNING sender_id)
       INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
         to_address, units, fee_cap, state, nonce, tx_id, ended_at_ms, created_at_ms)
       SELECT 'out_' || n, sender_id, 'ETH', 'funding', 'pay_' || n, '{}', 1000, '0xapp', 2000000000000000, 1, 'succeeded',
         n, '0x' || n, 0, $1::bigint - n * 172800000 FROM s, generate_series(0, 1) AS n`,
      [shop.api.world.nowMs()],
    ),
  );
  // The one of two days before is not of this day.
  const { spent } = await shop.ask('wallets.list', { chain: 'ETH' }, shop.operator);
  expect(spent).toBe('0.002');
});
