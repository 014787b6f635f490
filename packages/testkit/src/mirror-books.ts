// Fills the books from a chain in memory, without a watcher: final blocks, and the transfers from and to our addresses.
import { unitsOf } from '@ducat/core/money/amount';
import type { FakeChain } from './chains/fake/chain-in-memory.ts';
import type { Database } from '@ducat/gateway/db/postgres/tx';

export interface MirrorOptions {
  /** The newest block that is booked; the chain's final block by default. */
  readonly final?: number;
  /** The height up to which the cursor counts as searched; `final` by default. */
  readonly searched?: number;
  /** Ids of transactions whose transfers are not booked. */
  readonly without?: readonly string[];
}

/** Books the chain up to a block. Rows that exist already stay as they are. */
export async function mirrorBooks(
  database: Database,
  { definition, blocks, finalHeight }: FakeChain,
  { final = finalHeight, searched = final, without = [] }: MirrorOptions = {},
): Promise<void> {
  const chain = definition.name;
  const all = Array.from({ length: final + 1 }, (_, number) => blocks.at(number)).flatMap((one) => one ?? []);
  const transfers = all
    .flatMap(({ transfers: shown, internal }) => [...shown, ...internal])
    .filter(({ txId }) => !without.includes(txId));
  const rows = transfers.map(({ txId, position, from, to, amount, block }) => ({
    tx_id: txId,
    position,
    currency_id: amount.currencyId,
    from_address: from,
    to_address: to,
    units: unitsOf(amount).toString(),
    block_number: block.number,
    block_hash: block.hash,
    block_time: block.time,
  }));
  await database.transact(async (tx) => {
    await tx.write(
      `INSERT INTO blocks (chain, number, hash, parent_hash, time)
       SELECT $1, number, hash, parent, time FROM jsonb_to_recordset($2::jsonb)
         AS b (number bigint, hash text, parent text, time bigint) ON CONFLICT DO NOTHING`,
      [chain, JSON.stringify(all.map(({ header }) => ({ ...header, parent: header.parentHash })))],
    );
    await tx.write(
      `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
         block_number, block_hash, block_time, state, disposition, address_id, app_id, from_address_id)
       SELECT $1, tx_id, position, 0, currency_id, from_address, to_address, units, block_number, block_hash, block_time,
         'final', CASE WHEN d.address_id IS NULL THEN 'outgoing' ELSE 'unassigned' END, d.address_id, d.app_id,
         s.address_id
       FROM jsonb_to_recordset($2::jsonb) AS t (tx_id text, position text, currency_id integer, from_address text,
         to_address text, units numeric, block_number bigint, block_hash text, block_time bigint)
       LEFT JOIN addresses d ON d.family = $3 AND d.address = to_address
       LEFT JOIN addresses s ON s.family = $3 AND s.address = from_address
       WHERE d.address_id IS NOT NULL OR s.address_id IS NOT NULL ON CONFLICT DO NOTHING`,
      [chain, JSON.stringify(rows), definition.family],
    );
    await tx.write(
      `INSERT INTO chain_cursors (chain, start_number, head_number, head_hash, head_time, final_number, final_time,
         searched_number, searched_time, updated_at_ms)
       VALUES ($1, 0, $2, 'head', 0, $2, 0, $3, 0, 0)
       ON CONFLICT (chain) DO UPDATE SET head_number = $2, final_number = $2, searched_number = $3`,
      [chain, final, searched],
    );
  });
}
