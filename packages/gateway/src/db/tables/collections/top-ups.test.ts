// What the collector reads of wallets with open payouts, before it sends them coin.
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import { readBusyWallets } from './top-ups.ts';

const COIN = 1000;
const USDC = 1002;

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 0 });
  await put(`INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
    VALUES ('app_1', 'evm', 0, '0xwallet', 'wallet')`);
  await put(`INSERT INTO senders (chain, address_id) SELECT 'ETH', address_id FROM addresses`);
});
afterEach(() => database.drop());

const put = (statement: string) => database.transact((tx) => tx.write(statement, []));

const payout = (id: string, currencyId: number, units: number) =>
  put(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
      to_address, units, fee_cap, state, next_at_ms, created_at_ms)
    SELECT '${id}', sender_id, 'ETH', 'payout', 'pay_${id}', '{}', ${currencyId}, '0xto', ${units}, 1, 'waiting', 1, 1
    FROM senders`);

it('names a token that open payouts move, beside the sum of their coin', async () => {
  const busy = () => readBusyWallets(database.reader, { chain: 'ETH', nativeId: COIN, limit: 10 });
  expect(await busy()).toEqual([]);
  await payout('out_1', COIN, 5);
  const alone = { address: '0xwallet', openPayouts: 1, openCoin: amountOf(COIN, 5n), openToken: null };
  expect(await busy()).toEqual([expect.objectContaining(alone)]);
  await payout('out_2', USDC, 7);
  expect(await busy()).toEqual([expect.objectContaining({ ...alone, openPayouts: 2, openToken: USDC })]);
});
