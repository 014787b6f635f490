// The newest entry that touched an app in one currency.
import type { Reader } from '../../postgres/tx.ts';

/** The entry's number; 0 before the first. */
export async function readNewestEntry(reader: Reader, appId: string, currencyId: number): Promise<number> {
  const [row] = await reader.read<{ newest: number }>(
    `SELECT coalesce(max(last.entry_id), 0)::bigint AS newest FROM accounts a CROSS JOIN LATERAL (
       SELECT entry_id FROM postings WHERE account_id = a.account_id ORDER BY account_id DESC, entry_id DESC LIMIT 1
     ) AS last WHERE a.owner = $1 AND a.currency_id = $2 AND a.kind IN ('available', 'frozen', 'unassigned')`,
    [appId, currencyId],
  );
  return row?.newest ?? 0;
}
