// What is compared: every currency that is offered, and those that went off with money in them; no other is asked for.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { createFakeChain } from '../../chains/fake/chain-in-memory.ts';
import type { ChainReader } from '../../chains/port/reader.ts';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import {
  bookBlock,
  headerAt,
  insertApp,
  insertTestOrder,
  START_TIME,
  transferTo,
  USDT,
} from '@ducat/testkit/fixtures';
import { reconcileChain } from './reconcile.ts';

const DAI = 1003;
let database: TestDatabase;

beforeEach(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database, { addresses: 2 });
});

afterEach(() => database.drop());

/** ETH with the coin alone on, and the currencies that were asked for. */
function chainWithoutTokens(): { readonly port: ChainReader; readonly asked: number[] } {
  const currencies = eth.currencies.map((currency) => ({ ...currency, enabled: currency.contract === null }));
  const definition = { ...eth, currencies };
  const asked: number[] = [];
  const { reader } = createFakeChain({ definition, seed: 1, startTime: START_TIME });
  return {
    asked,
    port: {
      ...reader,
      balances: (addresses, { currencyId }) => {
        asked.push(currencyId);
        const amounts = addresses.map(() => amountOf(currencyId, currencyId === USDT ? 5n : 0n));
        return Promise.resolve([{ provider: 'fake', at: 1, amounts }]);
      },
    },
  };
}

describe('reconcileChain', () => {
  it('asks for what is on and for what is held, not for all that is off', async () => {
    const order = await insertTestOrder(database);
    const header = headerAt(1, { time: START_TIME + 10 });
    const transfers = [transferTo(order.address, header, { units: 5n })];
    await bookBlock(database, { header, transfers, final: { number: 1, hash: header.hash } });
    const { port, asked } = chainWithoutTokens();
    const { currencies, unanswered } = await reconcileChain(database.reader, port);
    expect(asked).toEqual([1000, USDT]);
    expect(asked).not.toContain(DAI);
    expect(currencies.map(({ currencyId }) => currencyId)).toEqual([1000, USDT]);
    expect(unanswered).toEqual([]);
  });
});
