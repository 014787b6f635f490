// Claims due webhook attempts: so many per app and receiver, in order per order, each under a lease.
import { MAX_ATTEMPTS, nextAttemptInMs } from '@ducat/core/webhook/schedule';
import type { Tx } from '../../db/postgres/tx.ts';

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
  /** When it had fallen due: its place in its queue, which it gets back with the claim. */
  readonly dueAtMs: number;
}

/** Events wait in a queue for each app and receiver: an app is a merchant's, a receiver is what shares a fate. */
export type Queue = Pick<ClaimedDelivery, 'appId' | 'receiver'>;

/** How many attempts may be claimed for a queue before there is a place to make them. They take no place of others. */
export interface Ahead extends Queue {
  readonly deliveries: number;
}

export interface ClaimLimits {
  readonly nowMs: number;
  /** How long a claim is its process's own; then the event waits for the next rung of its ladder. */
  readonly leaseMs: number;
  readonly maxDeliveries: number;
  /** What this process may have under way for one app, over all its receivers. */
  readonly maxPerApp: number;
  /** What it may have under way in one queue. */
  readonly maxPerReceiver: number;
  /** The queue of each attempt that it already has under way. */
  readonly underWay: readonly Queue[];
  /** Queues that take webhooks so quickly that some are claimed ahead, beside those that are made at once. */
  readonly ahead?: readonly Ahead[];
  /** Behind which receiver the search begins in each app: the `resumeAfter` of the claim before. */
  readonly after: ReadonlyMap<string, string>;
}

export interface Claims {
  readonly deliveries: readonly ClaimedDelivery[];
  /** Events put off because an earlier event of their order is unfinished. */
  readonly postponed: number;
  /** Events that used up their attempts without an answer to the last one. */
  readonly died: number;
  /** The earliest time, after `nowMs`, at which a queue's next event falls due; null when nothing waits. */
  readonly nextDueAtMs: number | null;
  /**
   * Behind which receiver the next search goes on, for each app with more receivers than were looked at. An app that
   * has no place free is not looked at and keeps its entry of `after`.
   */
  readonly resumeAfter: ReadonlyMap<string, string>;
  /** Whether an app that has a place free has more receivers than were looked at. */
  readonly searchGoesOn: boolean;
}

/** Receivers looked at in one claim, for each app. With more than this waiting, the search goes on in the next. */
const MAX_RECEIVERS = 200;
/** How soon an event right behind an unfinished one of its order is looked at again, at the earliest. */
const LOOK_AGAIN_MS = 2_000;
/** What follows a failed attempt, by its number on the ladder: the usual wait, or death at once. */
export const WAITS_MS = Array.from({ length: MAX_ATTEMPTS }, (_, made) => nextAttemptInMs(made + 1) ?? 0);

/** Claims in one statement; two claims at once never get the same event. */
export async function claimDeliveries(tx: Tx, limits: ClaimLimits): Promise<Claims> {
  const { ahead = [] } = limits;
  const rows = await tx.write<Row>(CLAIM, [
    limits.nowMs,
    limits.nowMs + limits.leaseMs,
    limits.maxDeliveries,
    limits.maxPerReceiver,
    limits.maxPerApp,
    limits.underWay.map(({ appId }) => appId),
    limits.underWay.map(({ receiver }) => receiver),
    [...limits.after.keys()],
    [...limits.after.values()],
    MAX_RECEIVERS,
    MAX_ATTEMPTS,
    LOOK_AGAIN_MS,
    WAITS_MS,
    ahead.map(({ appId }) => appId),
    ahead.map(({ receiver }) => receiver),
    ahead.map(({ deliveries }) => deliveries),
  ]);
  const summary = rows[0];
  return {
    deliveries: rows.flatMap(deliveryOf),
    postponed: summary?.postponed ?? 0,
    died: summary?.died ?? 0,
    nextDueAtMs: summary?.next_due_at_ms ?? null,
    resumeAfter: new Map(Object.entries(summary?.resume_after ?? {})),
    searchGoesOn: summary?.search_goes_on ?? false,
  };
}

// `apps` and `queues` hop from app to app and in all of them from receiver to receiver through the index, so a queue
// costs the same whether one event waits in it or ten thousand, and an app never waits for the receivers of another.
// There are no more apps than the operator has opened. Each queue then gives its oldest due events, no more than it
// has room for. Apps take turns, those with the least under way first, and so do the receivers within an app: who is
// slow queues behind all others.
// What goes beyond the places of a queue is claimed ahead: as many as the caller says, and outside of all other turns.
// An event that has to wait for an earlier one of its order is moved to the time when that one moves, so it does not
// stand in front of the index again. While that one is under way, only the next in line is looked at again soon, in
// case the end of the attempt and this claim missed each other; `recordDeliveries` wakes the next, and so each in turn.
// Those further back rest for a lease at least: an order of thousands of parts must not keep the claims busy.
// A final event overtakes those that are not (decision E5), but at one receiver not before the first attempt of the one
// in front has ended: two events of one settlement still go out in their order. For the queue of another receiver it
// waits only where another final event stands in that.
// A claim whose end is never recorded is due again when its lease has ended and the wait of its rung is over, so a
// process that crashes again and again uses the ladder up no faster than a merchant that is down (decision E4).
// The array in `changed` says again what the join says, since for arrays the planner always takes the index. And
// `state || ''` keeps the planner from an index of all pending events, which it thinks empty when it last counted them
// in a quiet time; the events of one order are found by their order.
const CLAIM = `
  WITH RECURSIVE under_way AS (
    SELECT app_id, receiver, count(*)::integer AS deliveries
    FROM unnest($6::text[], $7::text[]) AS attempt (app_id, receiver) GROUP BY app_id, receiver
  ), load AS (
    SELECT app_id, sum(deliveries)::integer AS deliveries FROM under_way GROUP BY app_id
  ), ahead_of AS (
    SELECT * FROM unnest($14::text[], $15::text[], $16::integer[]) AS entry (app_id, receiver, ahead)
  ), resume AS (
    SELECT * FROM unnest($8::text[], $9::text[]) AS entry (app_id, receiver)
  ), apps AS (
    (SELECT app_id FROM events WHERE state = 'pending' ORDER BY app_id LIMIT 1)
    UNION ALL
    SELECT following.app_id FROM apps, LATERAL (
      SELECT events.app_id FROM events WHERE state = 'pending' AND events.app_id > apps.app_id
      ORDER BY events.app_id LIMIT 1
    ) AS following
  ), queues AS (
    SELECT apps.app_id, coalesce(load.deliveries, 0) AS app_busy, first.receiver, first.due, 1 AS place
    FROM apps
      LEFT JOIN load USING (app_id)
      LEFT JOIN resume USING (app_id),
      LATERAL (
        SELECT events.receiver, next_attempt_at_ms AS due FROM events
        WHERE state = 'pending' AND events.app_id = apps.app_id AND events.receiver > coalesce(resume.receiver, '')
        ORDER BY events.receiver, next_attempt_at_ms LIMIT 1
      ) AS first
    WHERE coalesce(load.deliveries, 0) < $5::integer
    UNION ALL
    SELECT queues.app_id, queues.app_busy, following.*, queues.place + 1 FROM queues, LATERAL (
      SELECT events.receiver, next_attempt_at_ms FROM events
      WHERE state = 'pending' AND events.app_id = queues.app_id AND events.receiver > queues.receiver
      ORDER BY events.receiver, next_attempt_at_ms LIMIT 1
    ) AS following
    WHERE queues.place < $10::integer
  ), resume_next AS (
    SELECT app_id, receiver, true AS looked_at FROM queues WHERE place = $10::integer
    UNION ALL
    SELECT app_id, receiver, false FROM apps JOIN load USING (app_id) JOIN resume USING (app_id)
    WHERE load.deliveries >= $5::integer
  ), open AS (
    SELECT * FROM (
      SELECT app_id, receiver, app_busy, coalesce(deliveries, 0) AS busy, coalesce(ahead, 0) AS ahead, due,
        app_busy + row_number() OVER (PARTITION BY app_id ORDER BY coalesce(deliveries, 0), due, receiver) AS app_turn
      FROM queues LEFT JOIN under_way USING (app_id, receiver) LEFT JOIN ahead_of USING (app_id, receiver)
      WHERE due <= $1::bigint AND (coalesce(deliveries, 0) < $4::integer OR ahead > 0)
    ) AS in_turns
    WHERE app_turn <= $5::integer
    ORDER BY app_turn, busy, due, app_id, receiver LIMIT $3::integer
  ), due AS (
    SELECT open.app_busy, open.busy, event.* FROM open, LATERAL (
      SELECT event_id, app_id, trade_no, sequence, final, receiver, attempts, schedule_start, next_attempt_at_ms
      FROM events
      WHERE state = 'pending' AND events.app_id = open.app_id AND events.receiver = open.receiver
        AND next_attempt_at_ms <= $1::bigint
      ORDER BY next_attempt_at_ms, sequence LIMIT greatest($4::integer - open.busy, 0) + open.ahead
      FOR UPDATE SKIP LOCKED
    ) AS event
  ), judged AS (
    SELECT due.*, earlier.look_at_ms,
      CASE WHEN attempts - schedule_start >= $11::integer THEN 'dies'
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
          ) THEN $2::bigint ELSE $1::bigint + $12::bigint END
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
  ), in_queues AS (
    SELECT judged.*,
      busy + row_number() OVER (PARTITION BY app_id, receiver, verdict ORDER BY next_attempt_at_ms, sequence) AS turn
    FROM judged
  ), in_turns AS (
    SELECT *, verdict = 'goes' AND turn > $4::integer AS goes_ahead FROM in_queues
  ), in_app_turns AS (
    SELECT in_turns.*, app_busy
      + row_number() OVER (PARTITION BY app_id, verdict, goes_ahead ORDER BY turn, next_attempt_at_ms, sequence) AS app_turn
    FROM in_turns
  ), chosen AS MATERIALIZED (
    SELECT * FROM (
      SELECT *, row_number() OVER (
        PARTITION BY verdict, goes_ahead ORDER BY app_turn, next_attempt_at_ms, sequence
      ) AS rank
      FROM in_app_turns
    ) AS ranked
    WHERE verdict <> 'goes' OR goes_ahead OR (rank <= $3::integer AND app_turn <= $5::integer)
  ), changed AS (
    UPDATE events SET
      state = CASE verdict WHEN 'dies' THEN 'dead' ELSE 'pending' END,
      attempts = events.attempts + CASE verdict WHEN 'goes' THEN 1 ELSE 0 END,
      next_attempt_at_ms =
        CASE verdict WHEN 'goes' THEN $2::bigint + ($13::bigint[])[events.attempts - events.schedule_start + 1]
                     WHEN 'waits' THEN look_at_ms END,
      leased_until_ms = CASE verdict WHEN 'goes' THEN $2::bigint END
    FROM chosen
    WHERE events.event_id = chosen.event_id AND events.event_id = ANY (ARRAY(SELECT event_id FROM chosen))
    RETURNING events.*, verdict, goes_ahead, rank, chosen.next_attempt_at_ms AS due_at_ms
  ), attempt AS (
    INSERT INTO delivery_attempts (event_id, attempt, started_at_ms, outcome)
    SELECT event_id, attempts, $1::bigint, 'unfinished' FROM changed WHERE verdict = 'goes'
  )
  SELECT goes.*, summary.* FROM (
    SELECT (SELECT count(*)::integer FROM changed WHERE verdict = 'waits') AS postponed,
           (SELECT count(*)::integer FROM changed WHERE verdict = 'dies') AS died,
           (SELECT min(due) FROM queues WHERE due > $1::bigint) AS next_due_at_ms,
           (SELECT json_object_agg(app_id, receiver) FROM resume_next) AS resume_after,
           EXISTS (SELECT FROM resume_next WHERE looked_at) AS search_goes_on
  ) AS summary LEFT JOIN (
    SELECT event_id, app_id, trade_no, status, url, receiver, body, attempts, schedule_start, due_at_ms, goes_ahead, rank
    FROM changed WHERE verdict = 'goes'
  ) AS goes ON true
  ORDER BY goes.goes_ahead, goes.rank`;

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
  readonly next_due_at_ms: number | null;
  readonly resume_after: Readonly<Record<string, string>> | null;
  readonly search_goes_on: boolean;
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
      attemptOnLadder: row.attempts - row.schedule_start,
      dueAtMs: row.due_at_ms,
    },
  ];
}
