// What some apps received over a period, and which of their items wait for a person: each part bounded.
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../../tables/amounts.ts';
import { oneOf } from '../../tables/one-of.ts';
import { sentBackOf } from '../../tables/payouts/order-refunds.ts';
import { isLeft } from '../../tables/transfers/reversals.ts';
import { notAtWallet } from './orders/receipt-list.ts';

export interface HomePeriod {
  readonly appIds: readonly string[];
  /** Unix seconds: the period, and as long a time before it. */
  readonly from: number;
  readonly bucketSeconds: number;
  readonly buckets: number;
}

export interface ReceivedSum {
  readonly currencyId: number;
  /** Negative buckets are in the period before. */
  readonly bucket: number;
  readonly amount: Amount;
  readonly payments: number;
}

export interface Received {
  readonly sums: readonly ReceivedSum[];
  readonly isPartial: boolean;
}

/** The most transfers that one load of the home page adds up, over all apps. */
const MAX_SUMMED = 50_000;

/** Final transfers that count, summed by currency and time. If there are too many, only the newest are summed. */
export async function readReceived(reader: Reader, period: HomePeriod): Promise<Received> {
  const { appIds, from, bucketSeconds, buckets } = period;
  const perApp = Math.floor(MAX_SUMMED / Math.max(1, appIds.length));
  const rows = await reader.read<{
    readonly id: number;
    readonly bucket: number;
    readonly units: string;
    readonly payments: number;
    readonly is_partial: boolean;
  }>(RECEIVED, [appIds, from - bucketSeconds * buckets, from, bucketSeconds, perApp]);
  return {
    sums: rows.map(({ id, bucket, units, payments }) => ({
      currencyId: id,
      bucket,
      amount: fromNumeric(id, units),
      payments,
    })),
    isPartial: rows.some((row) => row.is_partial),
  };
}

/** Parameters: apps, beginning, first bucket, seconds of a bucket, most rows of an app. */
const RECEIVED = `
  WITH met AS MATERIALIZED (
    SELECT t.* FROM unnest($1::text[]) AS a (id) CROSS JOIN LATERAL (
      SELECT app_id, currency_id, units, block_time, disposition FROM transfers
      WHERE ${oneOf('app_id', 'a.id')} AND block_time >= $2
      ORDER BY app_id DESC, block_time DESC LIMIT $5) AS t
  )
  SELECT currency_id AS id, floor((block_time - $3::bigint)::numeric / $4::integer)::integer AS bucket,
    sum(units)::text AS units, count(*)::integer AS payments,
    EXISTS (SELECT FROM met GROUP BY app_id HAVING count(*) >= $5) AS is_partial
  FROM met WHERE disposition IN ('payment', 'late', 'extra') GROUP BY 1, 2 ORDER BY 1, 2`;

export interface Waiting {
  readonly openOrders: number;
  /** Only orders whose money is enough, because less cannot be accepted. */
  readonly timedOutWithMoney: number;
  readonly unassigned: number;
  readonly payoutsOpen: number;
  readonly payoutsToApprove: number;
  readonly deadEvents: number;
}

/** A count stops one above this. */
const MAX_COUNTED = 10_000;

/** `now` in Unix seconds. Each count uses an index that holds only waiting items. */
export async function readWaiting(reader: Reader, appIds: readonly string[], now: number): Promise<Waiting> {
  const [row] = await reader.read<Waiting>(WAITING, [appIds, now]);
  return row ?? NOTHING_WAITS;
}

const NOTHING_WAITS: Waiting = {
  openOrders: 0,
  timedOutWithMoney: 0,
  unassigned: 0,
  payoutsOpen: 0,
  payoutsToApprove: 0,
  deadEvents: 0,
};

const counted = (from: string) =>
  `(SELECT count(*)::integer FROM (SELECT FROM ${from} LIMIT ${MAX_COUNTED + 1}) AS waiting)`;

/**
 * SQL: the money that was received and not sent back is at least what is due less the tolerance. A person may accept it
 * or send it back.
 */
const KEEPS_ENOUGH = `
  o.collected - ${sentBackOf('o.trade_no')} >= o.due - div(o.due * o.tolerance_ppm, 1000000)`;

const WAITING = `
  SELECT
    ${counted(`orders WHERE app_id = ANY ($1::text[]) AND status = 'TO-BE-PAID'`)} AS "openOrders",
    ${counted(`(SELECT * FROM orders WHERE app_id = ANY ($1::text[]) AND status = 'TIME-OUT' AND collected > 0
      LIMIT ${MAX_COUNTED + 1}) AS o WHERE ${KEEPS_ENOUGH}`)} AS "timedOutWithMoney",
    ${counted(`transfers t WHERE app_id = ANY ($1::text[]) AND disposition = 'unassigned'
      AND ${notAtWallet('t')} AND ${isLeft('t')}`)} AS unassigned,
    ${counted(`payouts WHERE app_id = ANY ($1::text[]) AND status IN ('PROGRESS', 'CONFIRMING-PROGRESS')`)}
      AS "payoutsOpen",
    ${counted(`payouts WHERE app_id = ANY ($1::text[]) AND status IN ('PROGRESS', 'CONFIRMING-PROGRESS')
      AND status = 'PROGRESS' AND needs_approval AND NOT claimed AND (approved_until IS NULL OR approved_until <= $2)`)}
      AS "payoutsToApprove",
    ${counted(`(SELECT app_id FROM events WHERE app_id = ANY ($1::text[]) AND state = 'dead'
      UNION ALL SELECT app_id FROM archived_events WHERE app_id = ANY ($1::text[]) AND state = 'dead') AS dead`)}
      AS "deadEvents"`;

export interface WebhookHealth {
  readonly delivered: number;
  readonly dead: number;
  readonly pending: number;
}

/** States of the newest `limit` events of each app from an id on. */
export async function readWebhookHealth(
  reader: Reader,
  appIds: readonly string[],
  from: string,
  limit: number,
): Promise<WebhookHealth> {
  const [row] = await reader.read<WebhookHealth>(
    `SELECT count(*) FILTER (WHERE state = 'delivered')::integer AS delivered,
       count(*) FILTER (WHERE state = 'dead')::integer AS dead,
       count(*) FILTER (WHERE state = 'pending')::integer AS pending
     FROM unnest($1::text[]) AS a (id) CROSS JOIN LATERAL (
       SELECT state FROM events WHERE ${oneOf('app_id', 'a.id')} AND event_id >= $2
       ORDER BY app_id DESC, event_id DESC LIMIT $3) AS e`,
    [appIds, from, limit],
  );
  return row ?? { delivered: 0, dead: 0, pending: 0 };
}
