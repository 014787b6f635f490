// Claims due webhook attempts: at most so many per receiver, in order per order, each under a lease.
import { MAX_ATTEMPTS } from '@ducat/core/webhook/schedule';
import type { Tx } from '../store/tx.ts';

/** One attempt to make now. It counts as made from here on, whatever becomes of the process. */
export interface ClaimedDelivery {
  readonly eventId: string;
  readonly appId: string;
  readonly tradeNo: string;
  readonly status: string;
  readonly url: string;
  readonly receiver: string;
  readonly body: string;
  /** Number of the attempt over the event's whole life, from 1; also the fencing token of the claim. */
  readonly attempt: number;
  /** Number of the attempt on the present ladder, from 1; equal to `attempt` unless the event was resent. */
  readonly attemptOnLadder: number;
}

export interface ClaimLimits {
  readonly nowMs: number;
  /** When claims that are never recorded fall due again. */
  readonly leaseMs: number;
  readonly maxDeliveries: number;
  /** What this process may have under way at one receiver. */
  readonly maxPerReceiver: number;
  /** What it already has under way, by receiver. */
  readonly underWay: ReadonlyMap<string, number>;
  /** Where the search for receivers begins: "" or the `resumeAfter` of the claim before. */
  readonly after: string;
}

export interface Claims {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Events put off because an earlier event of their order is unfinished. */
  readonly postponed: number;
  /** Events that used up their attempts without an answer to the last one. */
  readonly died: number;
  /** The earliest time, after `nowMs`, at which a receiver's next event falls due; null when nothing waits. */
  readonly nextDueAtMs: number | null;
  /** The receiver that the next search continues behind, "" to begin anew. */
  readonly resumeAfter: string;
}

/** Receivers looked at in one claim. With more than this waiting, the search goes on in the next claim. */
const MAX_RECEIVERS = 2_000;
/** How soon an event behind an unfinished one of its order is looked at again, at the earliest. */
const LOOK_AGAIN_MS = 2_000;

/** Claims in one statement; two claims at once never get the same event. */
export async function claimDeliveries(tx: Tx, limits: ClaimLimits): Promise<Claims> {
  const rows = await tx.write<Row>(CLAIM, [
    limits.nowMs,
    limits.nowMs + limits.leaseMs,
    limits.maxDeliveries,
    limits.maxPerReceiver,
    [...limits.underWay.keys()],
    [...limits.underWay.values()],
    limits.after,
    MAX_RECEIVERS,
    MAX_ATTEMPTS,
    LOOK_AGAIN_MS,
  ]);
  const summary = rows[0];
  return {
    deliveries: rows.flatMap(deliveryOf),
    postponed: summary?.postponed ?? 0,
    died: summary?.died ?? 0,
    nextDueAtMs: summary?.next_due_at_ms ?? null,
    resumeAfter: summary?.resume_after ?? '',
  };
}

// `receivers` hops from receiver to receiver through the index, so a receiver costs the same whether it has one
// event waiting or ten thousand. Each then gives its oldest due events, no more than it has room for. An event
// that has to wait for an earlier one of its order is moved to the time when that one moves, so it does not stand
// in front of the index again. Receivers with the least under way come first: a slow one queues behind all others.
// A final event overtakes (decision E5), but not before the first attempt of the one in front has ended: two events
// of one settlement still go out in their order.
// The array in `changed` says again what the join says, since for arrays the planner always takes the index.
const CLAIM = `
  WITH RECURSIVE receivers AS (
    (SELECT receiver, next_attempt_at_ms AS due, 1 AS place FROM events
     WHERE state = 'pending' AND receiver > $7::text
     ORDER BY receiver, next_attempt_at_ms LIMIT 1)
    UNION ALL
    SELECT following.* FROM receivers, LATERAL (
      SELECT events.receiver, events.next_attempt_at_ms, receivers.place + 1 FROM events
      WHERE state = 'pending' AND events.receiver > receivers.receiver
      ORDER BY events.receiver, events.next_attempt_at_ms LIMIT 1
    ) AS following
    WHERE receivers.place < $8::integer
  ), open AS (
    SELECT receivers.receiver, due, coalesce(under_way.deliveries, 0) AS busy
    FROM receivers
      LEFT JOIN unnest($5::text[], $6::integer[]) AS under_way (receiver, deliveries) USING (receiver)
    WHERE due <= $1::bigint AND coalesce(under_way.deliveries, 0) < $4::integer
    ORDER BY busy, due LIMIT $3::integer
  ), due AS (
    SELECT open.busy, event.* FROM open, LATERAL (
      SELECT event_id, trade_no, sequence, final, receiver, attempts, ladder_start, next_attempt_at_ms FROM events
      WHERE state = 'pending' AND events.receiver = open.receiver AND next_attempt_at_ms <= $1::bigint
      ORDER BY next_attempt_at_ms, sequence LIMIT $4::integer - open.busy
      FOR UPDATE SKIP LOCKED
    ) AS event
  ), judged AS (
    SELECT due.*, earlier.look_at_ms,
      CASE WHEN attempts - ladder_start >= $9::integer THEN 'dies'
           WHEN earlier.look_at_ms IS NOT NULL THEN 'waits'
           ELSE 'goes' END AS verdict
    FROM due LEFT JOIN LATERAL (
      SELECT CASE WHEN leased_until_ms IS NULL THEN next_attempt_at_ms ELSE $1::bigint END AS look_at_ms,
        events.attempts - events.ladder_start
          - CASE WHEN leased_until_ms IS NULL THEN 0 ELSE 1 END AS attempts_ended
      FROM events
      WHERE state = 'pending' AND trade_no = due.trade_no AND sequence < due.sequence
      ORDER BY sequence LIMIT 1
    ) AS earlier ON NOT due.final OR earlier.attempts_ended < 1
  ), chosen AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, row_number() OVER (PARTITION BY verdict ORDER BY turn, next_attempt_at_ms, sequence) AS rank FROM (
        SELECT judged.*,
          busy + row_number() OVER (PARTITION BY receiver, verdict ORDER BY next_attempt_at_ms, sequence) AS turn
        FROM judged
      ) AS in_turns
    ) AS ranked
    WHERE verdict <> 'goes' OR rank <= $3::integer
  ), changed AS (
    UPDATE events SET
      state = CASE verdict WHEN 'dies' THEN 'dead' ELSE 'pending' END,
      attempts = events.attempts + CASE verdict WHEN 'goes' THEN 1 ELSE 0 END,
      next_attempt_at_ms = CASE verdict WHEN 'goes' THEN $2::bigint
                                        WHEN 'waits' THEN greatest(look_at_ms, $1::bigint + $10::bigint) END,
      leased_until_ms = CASE verdict WHEN 'goes' THEN $2::bigint END
    FROM chosen
    WHERE events.event_id = chosen.event_id AND events.event_id = ANY (ARRAY(SELECT event_id FROM chosen))
    RETURNING events.*, verdict, rank
  ), attempt AS (
    INSERT INTO delivery_attempts (event_id, attempt, started_at_ms, outcome)
    SELECT event_id, attempts, $1::bigint, 'unfinished' FROM changed WHERE verdict = 'goes'
  )
  SELECT goes.*, summary.* FROM (
    SELECT (SELECT count(*)::integer FROM changed WHERE verdict = 'waits') AS postponed,
           (SELECT count(*)::integer FROM changed WHERE verdict = 'dies') AS died,
           (SELECT min(due) FROM receivers WHERE due > $1::bigint) AS next_due_at_ms,
           (SELECT receiver FROM receivers WHERE place = $8::integer) AS resume_after
  ) AS summary LEFT JOIN (
    SELECT event_id, app_id, trade_no, status, url, receiver, body, attempts, ladder_start, rank
    FROM changed WHERE verdict = 'goes'
  ) AS goes ON true
  ORDER BY goes.rank`;

interface Row {
  /** Null in the one row that comes when nothing was claimed. */
  readonly event_id: string | null;
  readonly app_id: string;
  readonly trade_no: string;
  readonly status: string;
  readonly url: string;
  readonly receiver: string;
  readonly body: string;
  readonly attempts: number;
  readonly ladder_start: number;
  readonly postponed: number;
  readonly died: number;
  readonly next_due_at_ms: number | null;
  readonly resume_after: string | null;
}

function deliveryOf(row: Row): readonly ClaimedDelivery[] {
  if (row.event_id === null) return [];
  return [
    {
      eventId: row.event_id,
      appId: row.app_id,
      tradeNo: row.trade_no,
      status: row.status,
      url: row.url,
      receiver: row.receiver,
      body: row.body,
      attempt: row.attempts,
      attemptOnLadder: row.attempts - row.ladder_start,
    },
  ];
}
