// What the books hold above a block: final transfers and final transactions of ours, or only unsettled ones.
import type { Reader } from '../../postgres/tx.ts';

export interface BookedAbove {
  readonly txId: string;
  /** Null for the network fee of a transaction of ours. */
  readonly position: string | null;
  readonly block: number;
  readonly currencyId: number;
  /** Base units. */
  readonly units: string;
  /** The disposition of a transfer; `network-fee` for a transaction of ours. */
  readonly disposition: string;
  readonly appId: string | null;
  readonly tradeNo: string | null;
}

/** In the order of the chain, at most `limit`. */
export function readBookedAbove(
  reader: Reader,
  chain: string,
  number: number,
  limit: number,
): Promise<readonly BookedAbove[]> {
  return reader.read<BookedAbove>(
    `(SELECT tx_id AS "txId", position, block_number AS block, currency_id AS "currencyId", units::text AS units,
        disposition, app_id AS "appId", trade_no AS "tradeNo"
      FROM transfers WHERE chain = $1 AND block_number > $2 AND state = 'final')
     UNION ALL
     (SELECT tx_id, NULL, block_number, currency_id, fee::text, 'network-fee', NULL, NULL
      FROM inclusions WHERE chain = $1 AND block_number > $2 AND final)
     ORDER BY block, "txId", position LIMIT $3`,
    [chain, number, limit],
  );
}

/** Whether something that is not final was seen in blocks above `above`, up to `upTo`. */
export async function isUnsettledBetween(
  reader: Reader,
  chain: string,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): Promise<boolean> {
  const rows = await reader.read(
    `(SELECT FROM transfers WHERE chain = $1 AND block_number > $2 AND block_number <= $3
        AND state IN ('seen', 'proposed') LIMIT 1)
     UNION ALL
     (SELECT FROM inclusions WHERE chain = $1 AND block_number > $2 AND block_number <= $3 AND NOT final LIMIT 1)`,
    [chain, above, upTo],
  );
  return rows.length > 0;
}
