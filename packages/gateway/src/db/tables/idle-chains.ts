// Which chains are in use: a payment is expected on them, something has still to become final, or a payout waits.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Reader } from '../postgres/tx.ts';

/**
 * Names of the given chains that have any of these: an open order, a seen or proposed transfer, an open outgoing
 * transaction, a payout that needs no approval any more and is not begun, a static address of their family. All others are
 * idle. Unexpected payments may come to an idle chain as well. A payout counts also while its currency is suspended.
 */
export async function readChainsInUse(
  reader: Reader,
  chains: readonly Pick<ChainDefinition, 'name' | 'family'>[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  const rows = await reader.read<{ readonly chain: string }>(
    // ORDER BY keeps each part on its index. With EXISTS the planner expects a match soon and may scan the whole table.
    `SELECT asked.chain FROM unnest($1::text[], $2::text[]) AS asked (chain, family)
     WHERE coalesce(
       (SELECT true FROM orders o WHERE o.chain = asked.chain AND status = 'TO-BE-PAID' ORDER BY time_expire LIMIT 1),
       (SELECT true FROM transfers t WHERE t.chain = asked.chain AND state = 'seen' ORDER BY block_number LIMIT 1),
       (SELECT true FROM transfers t WHERE t.chain = asked.chain AND state = 'proposed' ORDER BY address_id LIMIT 1),
       (SELECT true FROM outgoing_transactions o WHERE o.chain = asked.chain AND next_at_ms IS NOT NULL
        ORDER BY next_at_ms LIMIT 1),
       (SELECT true FROM payouts p WHERE p.chain = asked.chain AND status = 'PROGRESS' AND NOT claimed
          AND (NOT needs_approval OR approved_until > $3::bigint / 1000) ORDER BY trade_no LIMIT 1),
       (SELECT true FROM addresses d WHERE d.family = asked.family AND purpose = 'static' ORDER BY address_id LIMIT 1),
       false)`,
    [chains.map(({ name }) => name), chains.map(({ family }) => family), nowMs],
  );
  return new Set(rows.map(({ chain }) => chain));
}
