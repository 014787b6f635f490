// What the gas wallet of a chain holds, by the books, and what it sent for the fees of others.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { type Amount, negate } from '@ducat/core/money/amount';
import type { Reader } from '../postgres/tx.ts';
import { fromNumeric } from '../tables/amounts.ts';

export interface GasUseReport {
  readonly address: string;
  readonly held: Amount;
  /** What was sent, with the fees of sending it. */
  readonly spent: Amount;
}

export interface GasUseQuery {
  readonly chain: string;
  readonly family: ChainFamily;
  readonly nativeId: number;
  readonly sinceMs: number;
}

/** Null where the gas wallet was never made. */
export async function readGasUse(
  reader: Reader,
  { chain, family, nativeId, sinceMs }: GasUseQuery,
): Promise<GasUseReport | null> {
  const [row] = await reader.read<{ address: string; balance: string; spent: string }>(
    `SELECT d.address, coalesce(c.balance, 0)::text AS balance,
       (SELECT coalesce(sum(CASE WHEN o.state = 'succeeded' AND o.action = 'transfer' THEN o.units ELSE 0 END + coalesce(i.fee, 0)), 0)::text
        FROM outgoing_transactions o LEFT JOIN inclusions i ON i.chain = o.chain AND i.tx_id = o.tx_id
        WHERE o.chain = $1 AND (o.subject_kind = 'funding' OR o.action = 'sweep') AND o.created_at_ms > $4) AS spent
     FROM addresses d
       LEFT JOIN accounts c ON c.kind = 'custody' AND c.owner = $1 || '/' || d.address AND c.currency_id = $3
     WHERE d.family = $2 AND d.purpose = 'wallet' AND d.app_id IS NULL ORDER BY d.address_id LIMIT 1`,
    [chain, family, nativeId, sinceMs],
  );
  if (row === undefined) return null;
  const { address, balance, spent } = row;
  return { address, held: negate(fromNumeric(nativeId, balance)), spent: fromNumeric(nativeId, spent) };
}
