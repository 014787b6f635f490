// How often an app paid out to an address before, for the second person who decides whether to sign.
import type { Reader } from '../../../postgres/tx.ts';

/** A count stops one above this. */
const MAX_COUNTED = 10_000;

/** The number of payouts that were paid. */
export async function readAddressUse(reader: Reader, appId: string, address: string): Promise<number> {
  const [row] = await reader.read<{ used: number }>(
    `SELECT count(*)::integer AS used FROM (
       SELECT FROM payouts WHERE app_id = $1 AND to_address = $2 AND status = 'PAID' LIMIT ${MAX_COUNTED + 1}) AS paid`,
    [appId, address],
  );
  return row?.used ?? 0;
}
