// How the money of an order was collected from its addresses, as far as it was.
import type { CollectionMethod } from '@ducat/core/collection/plan';
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';

export interface CollectionStory {
  readonly collectionId: string;
  /** Of its transactions: its own, or that of the sweep that it is part of. */
  readonly subjectId: string;
  readonly chain: string;
  readonly method: CollectionMethod;
  readonly state: 'funding' | 'delegating' | 'moving' | 'collected' | 'failed' | 'withdrawn';
  readonly reason: string | null;
  readonly amount: Amount;
  /** Base units of the coin of the chain, as it was expected. */
  readonly costUnits: bigint;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
}

interface Row {
  readonly collection_id: string;
  readonly subject_id: string;
  readonly chain: string;
  readonly method: CollectionMethod;
  readonly state: CollectionStory['state'];
  readonly reason: string | null;
  readonly currency_id: number;
  readonly units: string;
  readonly cost: string;
  readonly started_at_ms: number;
  readonly ended_at_ms: number | null;
}

/** An address may be emptied often; the first collections behind the money are the ones that took it. */
const MAX_SHOWN = 10;

/** Of these addresses in these currencies since a time, up to the first one that succeeded, the oldest first. */
export async function readOrderCollections(
  reader: Reader,
  {
    addressIds,
    currencyIds,
    sinceMs,
  }: {
    readonly addressIds: readonly number[];
    readonly currencyIds: readonly number[];
    readonly sinceMs: number;
  },
): Promise<readonly CollectionStory[]> {
  const rows = await reader.read<Row>(
    `SELECT collection_id, coalesce(sweep_id, collection_id) AS subject_id, chain, method, state, reason, currency_id, units, cost, started_at_ms, ended_at_ms
     FROM collections WHERE address_id = ANY ($1::bigint[]) AND currency_id = ANY ($2::integer[]) AND started_at_ms >= $3
     ORDER BY started_at_ms LIMIT ${MAX_SHOWN}`,
    [addressIds, currencyIds, sinceMs],
  );
  const last = rows.findIndex(({ state }) => state === 'collected');
  return (last === -1 ? rows : rows.slice(0, last + 1)).map((row) => ({
    collectionId: row.collection_id,
    subjectId: row.subject_id,
    chain: row.chain,
    method: row.method,
    state: row.state,
    reason: row.reason,
    amount: fromNumeric(row.currency_id, row.units),
    costUnits: BigInt(row.cost),
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
  }));
}
