// How far each chain was read, which process reads it, and its newest forks.
import type { Reader } from '../../../postgres/tx.ts';

export interface ChainState {
  readonly chain: string;
  readonly headNumber: number | null;
  readonly headTime: number | null;
  readonly finalNumber: number | null;
  readonly finalTime: number | null;
  readonly searchedNumber: number | null;
  readonly searchedTime: number | null;
  readonly haltedReason: string | null;
  readonly updatedAtMs: number;
  readonly holder: string | null;
  readonly takenAtMs: number | null;
}

/** Every chain that was ever read. */
export function readChainStates(reader: Reader): Promise<readonly ChainState[]> {
  return reader.read<ChainState>(
    `SELECT c.chain, c.head_number AS "headNumber", c.head_time AS "headTime", c.final_number AS "finalNumber",
       c.final_time AS "finalTime", c.searched_number AS "searchedNumber", c.searched_time AS "searchedTime",
       c.halted_reason AS "haltedReason", c.updated_at_ms AS "updatedAtMs", l.holder, l.taken_at_ms AS "takenAtMs"
     FROM chain_cursors c LEFT JOIN leases l ON l.name = 'watch-' || c.chain`,
    [],
  );
}

export interface RecentReorg {
  readonly chain: string;
  readonly atMs: number;
  readonly fromNumber: number;
  readonly ancestorNumber: number | null;
  readonly orphaned: number;
}

/** The newest `limit` reorgs of each of these chains. */
export function readRecentReorgs(
  reader: Reader,
  chains: readonly string[],
  limit: number,
): Promise<readonly RecentReorg[]> {
  return reader.read<RecentReorg>(
    `SELECT r.chain, r.at_ms AS "atMs", r.from_number AS "fromNumber", r.ancestor_number AS "ancestorNumber", r.orphaned
     FROM unnest($1::text[]) AS c (chain) CROSS JOIN LATERAL (
       SELECT * FROM reorgs WHERE chain = c.chain ORDER BY at_ms DESC LIMIT $2) AS r
     ORDER BY r.at_ms DESC`,
    [chains, limit],
  );
}
