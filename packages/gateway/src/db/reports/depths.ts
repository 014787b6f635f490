// The lengths of the queues, counted for metrics, and what says whether they move.
import type { Reader } from '../postgres/tx.ts';

export interface Depths {
  readonly pendingEvents: number;
  readonly deadEvents: number;
  readonly openOrders: number;
  readonly seenTransfers: number;
  readonly unassignedReceipts: number;
  readonly freeAddresses: number;
  /** When the first pending event is due: in the past, if nobody sends it. Null where none is pending. */
  readonly firstDueMs: number | null;
  /**
   * Free addresses of the smallest pool, counted up to `POOL_COUNT`. Only pools of apps that may take orders count, and no
   * more than `MOST_POOLS`; null without any.
   */
  readonly smallestPool: number | null;
}

/** Each count stops at this, so that a scrape costs the same however long a queue has grown. */
const MOST = 100_000;
/** A pool is counted no further: a fifth of the default `addresses.pool_size`, and as many as the API fills it to. */
const POOL_COUNT = 20;
/** Pools that are looked at, for the same reason: each costs an index lookup. */
const MOST_POOLS = 2_000;

// `events_due` holds the time too, so the first one costs nothing beside the count.
const PENDING = `
  SELECT count(*) AS count, min(next_attempt_at_ms) AS first
  FROM (SELECT next_attempt_at_ms FROM events WHERE state = 'pending' LIMIT ${MOST}) AS counted`;

const SMALLEST_POOL = `
  SELECT min(free) FROM (
    SELECT (SELECT count(*) FROM (
        SELECT FROM addresses d WHERE d.app_id = k.app_id AND d.family = k.family AND d.purpose = 'order'
          AND d.trade_no IS NULL AND NOT d.retired LIMIT ${POOL_COUNT}) AS counted) AS free
    FROM account_keys k JOIN apps a USING (app_id) JOIN merchants m USING (merchant_id)
    WHERE a.enabled AND NOT m.suspended LIMIT ${MOST_POOLS}) AS pools`;

export async function readDepths(reader: Reader): Promise<Depths> {
  const upTo = (from: string) => `(SELECT count(*) FROM (SELECT FROM ${from} LIMIT ${MOST}) AS counted)`;
  const rows = await reader.read<Depths>(
    `SELECT pending.count AS "pendingEvents", pending.first AS "firstDueMs",
       ${upTo("events WHERE state = 'dead'")} AS "deadEvents",
       ${upTo("orders WHERE status = 'TO-BE-PAID'")} AS "openOrders",
       ${upTo("transfers WHERE state = 'seen'")} AS "seenTransfers",
       ${upTo("transfers WHERE disposition = 'unassigned'")} AS "unassignedReceipts",
       ${upTo("addresses WHERE purpose = 'order' AND trade_no IS NULL AND NOT retired")} AS "freeAddresses",
       (${SMALLEST_POOL}) AS "smallestPool"
     FROM (${PENDING}) AS pending`,
    [],
  );
  const [depths] = rows;
  if (depths === undefined) throw new Error('a count gave no row');
  return depths;
}
