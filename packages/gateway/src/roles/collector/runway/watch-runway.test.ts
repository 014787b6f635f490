// How long the gas lasts, by the books and by what the chain holds already.
import { eth } from '@ducat/core/chain/definitions/eth';
import { isRunwayShort } from '@ducat/core/collection/runway';
import { amountOf } from '@ducat/core/money/amount';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { afterEach, beforeEach, expect, inject, it } from 'vitest';
import type { ChainWriter } from '../../../chains/port/writer.ts';
import { readRunway } from './watch-runway.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  const wallet = `INSERT INTO addresses (family, derivation_index, address, purpose) VALUES ('evm', 0, '0xgas', 'wallet')`;
  await database.transact((tx) => tx.write(wallet, []));
});
afterEach(() => database.drop());

/** A node that knows the wallet with so much coin; a payout costs ten. */
function nodeWith(held: bigint): Pick<ChainWriter, 'definition' | 'estimate'> {
  const coin = (units: bigint) => amountOf(1000, units);
  return {
    definition: eth,
    estimate: ({ amount }) =>
      Promise.resolve({
        outcome: 'possible',
        expected: coin(10n),
        most: coin(20n),
        terms: { family: 'tron', feeLimit: 0n },
        shortOf: [
          { needed: amount, held: amountOf(amount.currencyId, amount.currencyId === 1000 ? held : 0n) },
        ],
      }),
  };
}

it('counts coin that the books have not come to yet, and warns where there is none anywhere', async () => {
  const payoutsAt = async (held: bigint) =>
    (await readRunway({ writer: nodeWith(held), reader: database.reader, nowMs: 0 }))?.payouts;
  expect([await payoutsAt(5_000n), await payoutsAt(0n)]).toEqual([500n, 0n]);
  const runway = await readRunway({ writer: nodeWith(5_000n), reader: database.reader, nowMs: 0 });
  expect(runway !== null && isRunwayShort(runway, { days: 7n, payouts: 50n })).toBe(false);
});

it.each([
  ['a token that is on', [1000, 1002], 1002],
  ['the coin, where no token is on', [1000], 1000],
])('counts payouts of %s', async (_what, on, asked) => {
  const { definition, estimate } = nodeWith(5_000n);
  const currencies = definition.currencies.map((one) => ({ ...one, enabled: on.includes(one.currencyId) }));
  const asks: number[] = [];
  const writer: Pick<ChainWriter, 'definition' | 'estimate'> = {
    definition: { ...definition, currencies },
    estimate: (transfer) => {
      asks.push(transfer.currency.currencyId);
      return estimate(transfer);
    },
  };
  await readRunway({ writer, reader: database.reader, nowMs: 0 });
  // First what a payout costs, then the coin that the wallet has.
  expect(asks).toEqual([asked, 1000]);
});
