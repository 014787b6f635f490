// What uses energy on a chain, by the books: token transfers out of deposit addresses, and payouts of tokens.
import type { Reader } from '../postgres/tx.ts';

export interface StakeUseReport {
  /** Token transfers out of deposit addresses, and how many of them got their energy from a stake. */
  readonly collections: bigint;
  readonly delegated: bigint;
  /** Payouts of tokens, whose energy wallets burn. */
  readonly payouts: bigint;
  /** The last collection of a token; null where there was none. */
  readonly last: { readonly wallet: string; readonly currencyId: number } | null;
}

export interface StakeUseQuery {
  readonly chain: string;
  readonly nativeId: number;
  readonly sinceMs: number;
}

export async function readStakeUse(
  reader: Reader,
  { chain, nativeId, sinceMs }: StakeUseQuery,
): Promise<StakeUseReport> {
  const [counts] = await reader.read<Record<'collections' | 'delegated' | 'payouts', string>>(
    `SELECT count(*)::text AS collections, (count(*) FILTER (WHERE method = 'delegated'))::text AS delegated,
       (SELECT count(*)::text FROM apps a JOIN payouts p ON p.app_id = a.app_id AND p.create_time > $3::bigint / 1000
          AND p.status NOT IN ('FAIL', 'CANCEL') WHERE p.chain = $1 AND p.currency_id <> $2) AS payouts
     FROM collections WHERE chain = $1 AND started_at_ms > $3 AND method <> 'native' AND state <> 'withdrawn'`,
    [chain, nativeId, sinceMs],
  );
  const [last] = await reader.read<{ wallet: string; currencyId: number }>(
    `SELECT w.address AS wallet, c.currency_id AS "currencyId"
     FROM collections c JOIN addresses w ON w.address_id = c.wallet_id
     WHERE c.chain = $1 AND c.state = 'collected' AND c.method <> 'native' ORDER BY c.started_at_ms DESC LIMIT 1`,
    [chain],
  );
  return {
    collections: BigInt(counts?.collections ?? 0),
    delegated: BigInt(counts?.delegated ?? 0),
    payouts: BigInt(counts?.payouts ?? 0),
    last: last ?? null,
  };
}
