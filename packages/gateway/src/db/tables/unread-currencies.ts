// In which currencies something waits for blocks that a process would not read.
import type { Reader } from '../postgres/tx.ts';

/** The currencies of open orders and open outgoing transactions of the chain, without those that are read. */
export async function readUnread(
  reader: Reader,
  chain: string,
  read: readonly number[],
): Promise<readonly number[]> {
  const rows = await reader.read<{ currencyId: number }>(
    `SELECT DISTINCT currency_id AS "currencyId" FROM (
       SELECT currency_id FROM orders WHERE chain = $1 AND status = 'TO-BE-PAID'
       UNION ALL SELECT currency_id FROM outgoing_transactions WHERE chain = $1 AND next_at_ms IS NOT NULL
     ) AS waiting WHERE currency_id <> ALL($2::integer[]) ORDER BY currency_id`,
    [chain, read],
  );
  return rows.map(({ currencyId }) => currencyId);
}
