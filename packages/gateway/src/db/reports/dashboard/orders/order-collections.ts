// How the money of an order was collected from its addresses so far.
import type { CollectionMethod } from '@ducat/core/collection/plan';
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import { ENERGY_SUFFIX, FUNDING_SUFFIX } from '../../../tables/collections/collections.ts';
import { returnSubject } from '../../../tables/collections/delegated-energy.ts';

export interface CollectionStory {
  readonly collectionId: string;
  /** Subjects of its transactions: its own or that of its sweep, and those that paid for its transfer. */
  readonly subjectIds: readonly string[];
  readonly chain: string;
  readonly method: CollectionMethod;
  readonly state: 'funding' | 'delegating' | 'moving' | 'collected' | 'failed' | 'withdrawn';
  readonly reason: string | null;
  readonly amount: Amount;
  /** The expected cost, in base units of the coin of the chain. */
  readonly costUnits: bigint;
  readonly startedAtMs: number;
  readonly endedAtMs: number | null;
}

/** A receipt that was booked at an address. */
export interface CollectedReceipt {
  readonly addressId: number;
  readonly currencyId: number;
  /** A collection that began before this time did not take the receipt. */
  readonly bookedAtMs: number;
}

interface Row {
  /** The place of its receipt, from 1. */
  readonly place: number;
  readonly returns: number;
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

/** The most collections for a receipt. A few may fail before one succeeds, which is the last that is shown. */
const MAX_TRIED = 10;

/** The collections of each receipt up to the first that succeeded, because that one took it. The oldest first, each once. */
export async function readOrderCollections(
  reader: Reader,
  receipts: readonly CollectedReceipt[],
): Promise<readonly CollectionStory[]> {
  if (receipts.length === 0) return [];
  const rows = await reader.read<Row>(
    `SELECT r.place::integer, c.* FROM unnest($1::bigint[], $2::integer[], $3::bigint[])
       WITH ORDINALITY AS r (address_id, currency_id, booked_at_ms, place), LATERAL (
       SELECT collection_id, coalesce(sweep_id, collection_id) AS subject_id, chain, method, state, reason, currency_id, units,
         cost, started_at_ms, ended_at_ms, returns
       FROM collections WHERE address_id = r.address_id AND currency_id = r.currency_id AND started_at_ms >= r.booked_at_ms
       ORDER BY started_at_ms LIMIT ${MAX_TRIED}) AS c
     ORDER BY c.started_at_ms, c.collection_id`,
    [
      receipts.map(({ addressId }) => addressId),
      receipts.map(({ currencyId }) => currencyId),
      receipts.map(({ bookedAtMs }) => bookedAtMs),
    ],
  );
  const taken = new Set<number>();
  const shown = new Map<string, CollectionStory>();
  for (const row of rows) {
    if (taken.has(row.place)) continue;
    if (row.state === 'collected') taken.add(row.place);
    shown.set(row.collection_id, toStory(row));
  }
  return [...shown.values()];
}

function toStory(row: Row): CollectionStory {
  const { collection_id: id, subject_id: subject, returns } = row;
  const takenBack = Array.from({ length: returns }, (_, number) => returnSubject(id, number + 1));
  return {
    collectionId: id,
    subjectIds: [subject, id + FUNDING_SUFFIX, id + ENERGY_SUFFIX, ...takenBack],
    chain: row.chain,
    method: row.method,
    state: row.state,
    reason: row.reason,
    amount: fromNumeric(row.currency_id, row.units),
    costUnits: BigInt(row.cost),
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
  };
}
