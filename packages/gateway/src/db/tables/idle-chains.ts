// Which chains are idle: no payment is expected on them, and nothing has still to become final.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Reader } from '../postgres/tx.ts';

/**
 * True without any of these: an open order, a seen or proposed transfer, an open outgoing transaction, a static address of
 * the chain's family. Unexpected payments may come to an idle chain as well.
 */
export async function isIdle(
  reader: Reader,
  { name, family }: Pick<ChainDefinition, 'name' | 'family'>,
): Promise<boolean> {
  const [row] = await reader.read<{ readonly idle: boolean }>(
    // ORDER BY keeps each part on its index. With EXISTS the planner expects a match soon and may scan the whole table.
    `SELECT coalesce(
       (SELECT false FROM orders WHERE chain = $1 AND status = 'TO-BE-PAID' ORDER BY time_expire LIMIT 1),
       (SELECT false FROM transfers WHERE chain = $1 AND state = 'seen' ORDER BY block_number LIMIT 1),
       (SELECT false FROM transfers WHERE chain = $1 AND state = 'proposed' ORDER BY address_id LIMIT 1),
       (SELECT false FROM outgoing_transactions WHERE chain = $1 AND next_at_ms IS NOT NULL ORDER BY next_at_ms LIMIT 1),
       (SELECT false FROM addresses WHERE family = $2 AND purpose = 'static' ORDER BY address_id LIMIT 1),
       true) AS idle`,
    [name, family],
  );
  return row?.idle === true;
}
