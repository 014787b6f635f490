// A difference that counts suspends its currency, whatever strangers put in front of it.
import { eth } from '@ducat/core/chain/definitions/eth';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp } from '@ducat/testkit/fixtures';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';

import { CHECKS_LEASE } from './checks-lease.ts';
import { raiseDifferences } from './raise-differences.ts';

const [coin] = eth.currencies;
/** More than are looked at in one transaction. */
const MANY = 1_200;
const lease = { token: 1, holder: 'test' };

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO addresses (app_id, family, derivation_index, address)
       SELECT 'app_1', 'evm', n, '0x' || n FROM generate_series(1000, 1000 + $1::integer) AS n`,
      [MANY],
    );
    await tx.write(
      `INSERT INTO leases (name, token, holder, renewals, taken_at_ms) VALUES ($1, 1, 'test', 0, 0)`,
      [CHECKS_LEASE],
    );
    await tx.write(
      `INSERT INTO balance_differences (chain, currency_id, address_id, expected, actual, at_block, since_ms)
       SELECT 'ETH', $1, address_id, 5, 6, 1, 0 FROM addresses ORDER BY address_id LIMIT $2`,
      [coin!.currencyId, MANY],
    );
  });
});
afterEach(() => database.drop());

it('finds a theft behind dust that a stranger sent to more addresses than are looked at', async () => {
  await database.transact((tx) =>
    tx.write(
      `INSERT INTO balance_differences (chain, currency_id, address_id, expected, actual, at_block, since_ms)
       SELECT 'ETH', $1, max(address_id), 10::numeric ^ 18, 0, 1, 1 FROM addresses`,
      [coin!.currencyId],
    ),
  );
  const raise = { lease, chain: 'ETH', currency: coin!, nowMs: 2 };
  expect(await database.transact((tx) => raiseDifferences(tx, raise))).toMatchObject({
    raised: [{ difference: { units: -(10n ** 18n) } }],
    isSuspended: true,
  });
});
