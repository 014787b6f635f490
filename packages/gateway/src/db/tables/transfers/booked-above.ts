// What stands in the books behind a block: final transfers and final transactions of ours.
import type { Reader } from '../../postgres/tx.ts';

export interface BookedAbove {
  readonly txId: string;
  /** Null for what a transaction of ours cost. */
  readonly position: string | null;
  readonly block: number;
  readonly currencyId: number;
  /** Base units. */
  readonly units: string;
  /** What it turned out to be; `network-fee` for a transaction of ours. */
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
