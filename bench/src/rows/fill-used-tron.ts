// Fills a database with used addresses of Tron, with final transfers, as a shop with many payments has them.
import pg from 'pg';
import { addAddresses, onTron } from './made-rows.ts';

/** Nine addresses in ten received 10 USDT. */
export async function fillUsedTron(url: string, appId: string, addresses: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await addAddresses((sql, values) => client.query(sql, [...values]), appId, 1, addresses, onTron);
    await client.query(
      `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
         block_number, block_hash, block_time, state, disposition, address_id, app_id)
       SELECT $1, md5(address), 'log:0', 0, $2, 'payer', address, 10000000, 0, '', 0, 'final', 'unassigned', address_id,
         app_id
       FROM addresses WHERE derivation_index % 10 <> 9`,
      [onTron.chain, onTron.currencyId],
    );
    await client.query('VACUUM (ANALYZE)');
  } finally {
    await client.end();
  }
}
