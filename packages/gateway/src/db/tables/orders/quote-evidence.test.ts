// Evidence comes back as it went in, to the last digit, from its table or from the archive.
import type { Evidence } from '@ducat/core/money/reading';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { openTestDatabase, type TestDatabase } from '@ducat/testkit/database';
import { insertApp, insertTestOrder } from '@ducat/testkit/fixtures';
import { evidenceFrom, evidenceText, readQuoteEvidence } from './quote-evidence.ts';

const reading: Evidence = {
  source: 'okx',
  base: 'ETH',
  quote: 'USD',
  priceUnits: 4_000_123_456_789_012_345_678n,
  at: 1_795_175_990,
  verdict: 'used',
};

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(inject('postgresAdminUrl'));
  await insertApp(database);
});
afterAll(() => database.drop());

describe('the evidence of an order', () => {
  it('keeps every digit, in its table and in the archive', async () => {
    const rate = { fiat: 'EUR', priceUnits: 3_199_759_920_000_000_000_001n };
    const quote = { rate, at: 1_795_176_000, source: 'market median', evidence: [reading, reading] };
    const order = await insertTestOrder(database, { quote });
    expect(order.quote).toEqual({ rate, at: 1_795_176_000, source: 'market median' });
    expect(await readQuoteEvidence(database.reader, order.tradeNo)).toEqual([reading, reading]);
    await database.transact((tx) =>
      tx.write(
        'WITH old AS (DELETE FROM quote_evidence RETURNING *) INSERT INTO archived_quote_evidence SELECT * FROM old',
        [],
      ),
    );
    expect(await readQuoteEvidence(database.reader, order.tradeNo)).toEqual([reading, reading]);
  });

  it('is empty where there was none', async () => {
    const order = await insertTestOrder(database, { tradeNo: 'ord_2' });
    expect(await readQuoteEvidence(database.reader, order.tradeNo)).toEqual([]);
  });

  it.each<readonly [string, unknown]>([
    ['no list', 'okx'],
    ['a reading without a price', [{ source: 'okx' }]],
    ['a reading of an unknown verdict', [{ ...reading, priceUnits: '1', verdict: 'x' }]],
  ])('cannot be read where it is %s', (_what, json) => {
    expect(evidenceFrom(json)).toBeNull();
  });

  it('is no more than there are sources', () => {
    const many = Array.from({ length: 51 }, () => reading);
    expect(() => evidenceText(many)).toThrow('more readings');
  });
});
