// Claims on due events: each is an attempt to make now, under a lease.
import type { Share } from '@ducat/core/webhook/fair-share';
import { MAX_ATTEMPTS, nextAttemptInMs } from '@ducat/core/webhook/schedule';
import type { Tx } from '../../postgres/tx.ts';

/** One attempt to make now. The attempt counts as made from here on, whatever becomes of the process. */
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
  /** Number of the attempt on the present retry schedule, from 1; equal to `attempt` unless the event was resent. */
  readonly scheduledAttempt: number;
  /** When the event became due. This is its place in its queue, which a release of the unsent claim restores. */
  readonly dueAtMs: number;
}

export interface ClaimedEvents {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Events put off because an earlier event of their subject is unfinished. */
  readonly postponed: number;
  /** Events that used up their attempts and whose last one was never recorded. */
  readonly died: number;
}

/** How soon an event right behind an unfinished one of its subject is looked at again, at the earliest. */
const LOOK_AGAIN_MS = 2_000;

/** The wait after a failed attempt, by its number on the schedule; 0 after the last one, because the event is then dead. */
const WAITS_MS = Array.from({ length: MAX_ATTEMPTS }, (_, made) => nextAttemptInMs(made + 1) ?? 0);

/** An SQL array of the waits in milliseconds; its first element follows the first attempt of a schedule. */
export const WAITS_SQL = `'{${WAITS_MS.join()}}'::bigint[]`;

/** Claims the oldest due events of each queue, so many of each. Two claims at once never get the same event. */
export async function claimEvents(
  tx: Tx,
  shares: readonly Share[],
  { nowMs, leaseMs }: { readonly nowMs: number; readonly leaseMs: number },
): Promise<ClaimedEvents> {
  const rows = await tx.write<Row>(CLAIM, [
    nowMs,
    nowMs + leaseMs,
    shares.map(({ appId }) => appId),
    shares.map(({ receiver }) => receiver),
    shares.map(({ deliveries }) => deliveries),
  ]);
  return {
    deliveries: rows.flatMap(deliveryOf),
    postponed: rows[0]?.postponed ?? 0,
    died: rows[0]?.died ?? 0,
  };
}

// Events of one subject are delivered in order (decision E5). An event that waits for an earlier one is postponed to
// the time at which the earlier one changes, so that it leaves the front of the index. While the earlier one is under
// way, only the next in line is checked again soon, in case the end of that attempt and this claim missed each other.
// The statement that records the end makes the next event due, and so on in turn. Events further back wait for a lease
// at least, because an order of thousands of parts must not keep the claims busy.
// A final event overtakes events that are not final. If the event in front has the same receiver, the final event waits
// until the first attempt of that event has ended, so that two events of one settlement still arrive in order. In the
// queue of another receiver, it waits only for another final event in front of it.
// A claim whose end is never recorded is due again when its lease and the wait of its schedule are over. So a process
// that crashes again and again uses up the attempts no faster than a merchant that is down (decision E4).
// The array in `changed` repeats the join condition, because for an array the planner always uses the index. `state ||
// ''` keeps the planner from the index of all pending events, see `attempt-ends.ts`.
const CLAIM = `
  WITH shares AS (
    SELECT * FROM unnest($3::text[], $4::text[], $5::integer[]) WITH ORDINALITY
      AS share (app_id, receiver, deliveries, rank)
  ), due AS (
    SELECT shares.rank, event.* FROM shares, LATERAL (
      SELECT event_id, trade_no, sequence, final, receiver, attempts, schedule_start, next_attempt_at_ms
      FROM events
      WHERE state = 'pending' AND events.app_id = shares.app_id AND events.receiver = shares.receiver
        AND next_attempt_at_ms <= $1::bigint
      ORDER BY next_attempt_at_ms, sequence LIMIT shares.deliveries
      FOR UPDATE SKIP LOCKED
    ) AS event
  ), decided AS MATERIALIZED (
    SELECT due.*, earlier.look_at_ms,
      CASE WHEN attempts - schedule_start >= ${MAX_ATTEMPTS} THEN 'dies'
           WHEN earlier.look_at_ms IS NOT NULL THEN 'waits'
           ELSE 'goes' END AS verdict
    FROM due LEFT JOIN LATERAL (
      SELECT min(sequence) AS sequence FROM events
      WHERE due.final AND final AND state || '' = 'pending' AND trade_no = due.trade_no AND sequence < due.sequence
    ) AS final_one ON true LEFT JOIN LATERAL (
      SELECT
        greatest(
          CASE WHEN leased_until_ms > $1::bigint THEN $1::bigint ELSE next_attempt_at_ms END,
          CASE WHEN NOT due.final AND EXISTS (
            SELECT FROM events AS between_them
            WHERE state || '' = 'pending' AND trade_no = due.trade_no
              AND between_them.sequence > events.sequence AND between_them.sequence < due.sequence
          ) THEN $2::bigint ELSE $1::bigint + ${LOOK_AGAIN_MS} END
        ) AS look_at_ms,
        events.attempts - events.schedule_start
          - CASE WHEN leased_until_ms > $1::bigint THEN 1 ELSE 0 END AS attempts_ended,
        receiver
      FROM events
      WHERE state || '' = 'pending' AND trade_no = due.trade_no AND sequence < due.sequence
        AND sequence >= coalesce(final_one.sequence, 0)
      ORDER BY sequence LIMIT 1
    ) AS earlier ON NOT due.final OR final_one.sequence IS NOT NULL
      OR (earlier.receiver = due.receiver AND earlier.attempts_ended < 1)
  ), changed AS (
    UPDATE events SET
      state = CASE verdict WHEN 'dies' THEN 'dead' ELSE 'pending' END,
      attempts = events.attempts + CASE verdict WHEN 'goes' THEN 1 ELSE 0 END,
      next_attempt_at_ms =
        CASE verdict WHEN 'goes' THEN $2::bigint + (${WAITS_SQL})[events.attempts - events.schedule_start + 1]
                     WHEN 'waits' THEN look_at_ms END,
      leased_until_ms = CASE verdict WHEN 'goes' THEN $2::bigint END
    FROM decided
    WHERE events.event_id = decided.event_id AND events.event_id = ANY (ARRAY(SELECT event_id FROM decided))
    RETURNING events.*, verdict, rank, decided.next_attempt_at_ms AS due_at_ms
  ), attempt AS (
    INSERT INTO delivery_attempts (event_id, attempt, started_at_ms, outcome)
    SELECT event_id, attempts, $1::bigint, 'unfinished' FROM changed WHERE verdict = 'goes'
  )
  SELECT goes.*, summary.* FROM (
    SELECT count(*) FILTER (WHERE verdict = 'waits')::integer AS postponed,
           count(*) FILTER (WHERE verdict = 'dies')::integer AS died
    FROM changed
  ) AS summary LEFT JOIN (
    SELECT event_id, app_id, trade_no, status, url, receiver, body, attempts, schedule_start, due_at_ms, sequence, rank
    FROM changed WHERE verdict = 'goes'
  ) AS goes ON true
  ORDER BY goes.rank, goes.due_at_ms, goes.sequence`;

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
  readonly schedule_start: number;
  readonly due_at_ms: number;
  readonly postponed: number;
  readonly died: number;
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
      scheduledAttempt: row.attempts - row.schedule_start,
      dueAtMs: row.due_at_ms,
    },
  ];
}
