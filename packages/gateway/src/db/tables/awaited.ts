// Whether anybody waits for the next block of a chain.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Reader } from '../postgres/tx.ts';

/**
 * Whether a payment may come at any time, or something has still to become final: an order is open, an address is printed on
 * a QR code, a transfer is seen, or a transaction of ours is on its way. Money that comes unexpected is not awaited; it is
 * read like any other.
 */
export async function isAwaited(
  reader: Reader,
  { name, family }: Pick<ChainDefinition, 'name' | 'family'>,
): Promise<boolean> {
  const [row] = await reader.read<{ readonly waits: boolean }>(
    // In the order of an index, because the planner would read a whole table for EXISTS where it expects to find a row soon.
    `SELECT coalesce(
       (SELECT true FROM orders WHERE chain = $1 AND status = 'TO-BE-PAID' ORDER BY time_expire LIMIT 1),
       (SELECT true FROM transfers WHERE chain = $1 AND state = 'seen' ORDER BY block_number LIMIT 1),
       (SELECT true FROM transfers WHERE chain = $1 AND state = 'proposed' ORDER BY address_id LIMIT 1),
       (SELECT true FROM outgoing_transactions WHERE chain = $1 AND next_at_ms IS NOT NULL ORDER BY next_at_ms LIMIT 1),
       (SELECT true FROM addresses WHERE family = $2 AND purpose = 'static' ORDER BY address_id LIMIT 1),
       false) AS waits`,
    [name, family],
  );
  return row?.waits === true;
}
