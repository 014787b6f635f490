// Which transfer the cost of payouts is taken from, and that a token without an answer holds up its own wallet alone.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import type { PlannedTransfer } from '../../chains/port/writer.ts';
import { Outage } from '../../runtime/outage.ts';
import type { LeasedCollector } from './parts.ts';
import { topUpWallets } from './top-up-wallets.ts';

const [COIN, USDT, USDC] = [1000, 1001, 1002];

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await put(`INSERT INTO chain_cursors (chain, updated_at_ms) VALUES ('ETH', 0)`);
  for (const account of [1, 2]) {
    await insertApp(database, { appId: `app_${account}`, account, addresses: 0 });
    await put(`INSERT INTO addresses (app_id, family, derivation_index, address, purpose)
      VALUES ('app_${account}', 'evm', 0, '0xwallet${account}', 'wallet')`);
  }
  await put(`INSERT INTO senders (chain, address_id) SELECT 'ETH', address_id FROM addresses`);
});
afterEach(() => database.drop());

const put = (statement: string) => database.transact((tx) => tx.write(statement, []));

/** An open payout from the wallet of that account. */
const payout = (account: number, currencyId: number) =>
  put(`INSERT INTO outgoing_transactions (outgoing_id, sender_id, chain, subject_kind, subject_id, subject, currency_id,
      to_address, units, fee_cap, state, next_at_ms, created_at_ms)
    SELECT 'out_${account}', sender_id, 'ETH', 'payout', 'pay_${account}', '{}', ${currencyId}, '0xto', 1, 1, 'waiting', 1, 1
    FROM senders JOIN addresses USING (address_id) WHERE address = '0xwallet${account}'`);

/** Tops up where these currencies are on. Gives each wallet with the currency that was estimated for it. */
async function asked(
  on: readonly number[],
  answer: (transfer: PlannedTransfer) => void = () => undefined,
): Promise<readonly (readonly [wallet: string, currencyId: number])[]> {
  const asks: (readonly [string, number])[] = [];
  const currencies = eth.currencies.map((one) => ({ ...one, enabled: on.includes(one.currencyId) }));
  // Of a collector only what is read before anything is sent: no top-up is planned where a transfer is impossible.
  const collector = {
    reader: database.reader,
    world: { nowMs: () => 0 },
    policy: { topUpBudget: amountOf(COIN, 100n) },
    writer: {
      definition: { ...eth, currencies },
      estimate: async (transfer: PlannedTransfer) => {
        asks.push([transfer.from, transfer.currency.currencyId]);
        answer(transfer);
        return { outcome: 'impossible', reason: 'reverts', text: '' };
      },
    },
  } as unknown as LeasedCollector;
  await topUpWallets(collector).catch((error: unknown) => {
    if (!(error instanceof Outage)) throw error;
    asks.push([error.message, 0]);
  });
  return asks;
}

it('asks for a token that is on, whatever the open payouts move', async () => {
  await payout(1, COIN);
  await payout(2, USDC);
  expect(await asked([COIN, USDT])).toEqual([
    ['0xwallet1', USDT],
    ['0xwallet2', USDT],
  ]);
});

it('asks for the token of open payouts where no token is on, and else for the coin', async () => {
  await payout(1, COIN);
  await payout(2, USDC);
  expect(await asked([COIN])).toEqual([
    ['0xwallet1', COIN],
    ['0xwallet2', USDC],
  ]);
});

it('gives each wallet its turn before it throws that a token does not answer', async () => {
  await payout(1, USDC);
  await payout(2, COIN);
  const broken = ({ currency }: PlannedTransfer) => {
    if (currency.currencyId === USDC) throw new Outage('no balance');
  };
  expect(await asked([COIN], broken)).toEqual([
    ['0xwallet1', USDC],
    ['0xwallet2', COIN],
    ['no balance', 0],
  ]);
});
