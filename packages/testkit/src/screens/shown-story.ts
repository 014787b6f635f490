// What else happened to the order whose story is shown: prices, a reorg, and the collection of its money.
import { insertReorg } from '@ducat/gateway/db/tables/blocks';
import { evidenceText } from '@ducat/gateway/db/tables/orders/quote-evidence';
import type { Database, SqlValue } from '@ducat/gateway/db/postgres/tx';

/** The order was priced by three sources, its block was replaced once, and its money has been collected into the wallet. */
export async function fillStory(database: Database, order: string, paidAtMs: number): Promise<void> {
  const write = (sql: string, values: readonly SqlValue[]) =>
    database.transact((tx) => tx.write(sql, [...values]));
  const at = Math.floor(paidAtMs / 1_000) - 152;
  const evidence = [
    ['Kraken', 9_999n, at],
    ['Coinbase', 10_000n, at - 2],
    ['Bitstamp', 10_001n, at - 1],
  ] as const;
  const readings = evidence.map(([source, price, readAt]) => ({
    source,
    base: 'USDT',
    quote: 'USD',
    priceUnits: price * 10n ** 14n,
    at: readAt,
    verdict: 'used' as const,
  }));
  await write('INSERT INTO quote_evidence (trade_no, evidence) VALUES ($1, $2)', [
    order,
    evidenceText(readings),
  ]);
  await write(
    `UPDATE orders SET quote = jsonb_set(quote, '{source}', '"median of 3 prices"') WHERE trade_no = $1`,
    [order],
  );
  const [paid] = await database.reader.read<{ readonly block: number; readonly address: number }>(
    'SELECT block_number AS block, address_id AS address FROM transfers WHERE trade_no = $1',
    [order],
  );
  if (paid === undefined) throw new Error('the order was paid');
  const { block, address } = paid;
  const fork = {
    chain: 'ETH',
    from: { number: block, hash: '0xgone' },
    ancestor: { number: block - 1, hash: '0xstays' },
  };
  await database.transact((tx) => insertReorg(tx, { ...fork, orphaned: 1, atMs: paidAtMs + 1_000 }));
  await write(
    `INSERT INTO collections (collection_id, chain, address_id, currency_id, wallet_id, units, method, gas, cost, state,
       started_at_ms, ended_at_ms)
     SELECT 'col_1', 'ETH', $1, 1001, w.address_id, 25500000, 'funded', 65000, 910000000000000, 'collected', $2, $3
     FROM addresses w WHERE w.purpose = 'wallet' AND w.app_id IS NOT NULL`,
    [address, paidAtMs + 31_000, paidAtMs + 76_000],
  );
}
