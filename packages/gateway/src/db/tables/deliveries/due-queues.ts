// The search for queues of events that are due, and for the time when the next one will be.
import type { DueQueue } from '@ducat/core/webhook/fair-share';
import type { Reader } from '../../postgres/tx.ts';

export interface QueueSearch {
  readonly nowMs: number;
  /** Due events are counted no further than this in each queue. */
  readonly maxPerReceiver: number;
  /** Behind which receiver the search begins in each app: the `resumeAfter` of the search before. */
  readonly after: ReadonlyMap<string, string>;
  /** Apps that may send nothing now. They are not searched. */
  readonly fullApps: ReadonlySet<string>;
}

export interface FoundQueues {
  readonly queues: readonly DueQueue[];
  /** The earliest time, after `nowMs`, at which a queue's next event is due; null when nothing waits. */
  readonly nextDueAtMs: number | null;
  /** Behind which receiver the next search goes on, for each app with more receivers than were looked at. */
  readonly resumeAfter: ReadonlyMap<string, string>;
  /** Whether an app that was searched has more receivers than were looked at. */
  readonly searchGoesOn: boolean;
}

/** Receivers looked at in one search, for each app. With more than this waiting, the next search goes on behind them. */
const MAX_RECEIVERS = 200;

export async function findDueQueues(reader: Reader, search: QueueSearch): Promise<FoundQueues> {
  const { nowMs, maxPerReceiver, after, fullApps } = search;
  const rows = await reader.read<Row>(SEARCH, [
    nowMs,
    maxPerReceiver,
    [...after.keys()],
    [...after.values()],
    [...fullApps],
  ]);
  const summary = rows[0];
  const ofFullApps = [...after].filter(([appId]) => fullApps.has(appId));
  const goesOn = Object.entries(summary?.resume_after ?? {});
  return {
    queues: rows.flatMap(queueOf),
    nextDueAtMs: summary?.next_due_at_ms ?? null,
    resumeAfter: new Map([...ofFullApps, ...goesOn]),
    searchGoesOn: goesOn.length > 0,
  };
}

// `apps` and `queues` hop through the index, from app to app and in each app from receiver to receiver. So a queue costs
// the same whether one event waits in it or ten thousand, and no app waits for the receivers of another. There are no
// more apps than the operator has opened.
const SEARCH = `
  WITH RECURSIVE resume AS (
    SELECT * FROM unnest($3::text[], $4::text[]) AS entry (app_id, receiver)
  ), apps AS (
    (SELECT app_id FROM events WHERE state = 'pending' ORDER BY app_id LIMIT 1)
    UNION ALL
    SELECT following.app_id FROM apps, LATERAL (
      SELECT events.app_id FROM events WHERE state = 'pending' AND events.app_id > apps.app_id
      ORDER BY events.app_id LIMIT 1
    ) AS following
  ), queues AS (
    SELECT apps.app_id, first.receiver, first.due, 1 AS place
    FROM apps LEFT JOIN resume USING (app_id), LATERAL (
      SELECT events.receiver, next_attempt_at_ms AS due FROM events
      WHERE state = 'pending' AND events.app_id = apps.app_id AND events.receiver > coalesce(resume.receiver, '')
      ORDER BY events.receiver, next_attempt_at_ms LIMIT 1
    ) AS first
    WHERE apps.app_id <> ALL ($5::text[])
    UNION ALL
    SELECT queues.app_id, following.*, queues.place + 1 FROM queues, LATERAL (
      SELECT events.receiver, next_attempt_at_ms FROM events
      WHERE state = 'pending' AND events.app_id = queues.app_id AND events.receiver > queues.receiver
      ORDER BY events.receiver, next_attempt_at_ms LIMIT 1
    ) AS following
    WHERE queues.place < ${MAX_RECEIVERS}
  )
  SELECT due_queues.*, summary.* FROM (
    SELECT min(due) FILTER (WHERE due > $1::bigint) AS next_due_at_ms,
           json_object_agg(app_id, receiver) FILTER (WHERE place = ${MAX_RECEIVERS}) AS resume_after
    FROM queues
  ) AS summary LEFT JOIN (
    SELECT app_id, receiver, due, (
      SELECT count(*)::integer FROM (
        SELECT FROM events
        WHERE state = 'pending' AND events.app_id = queues.app_id AND events.receiver = queues.receiver
          AND next_attempt_at_ms <= $1::bigint
        ORDER BY next_attempt_at_ms LIMIT $2::integer
      ) AS counted
    ) AS due_events
    FROM queues WHERE due <= $1::bigint
  ) AS due_queues ON true`;

interface Row {
  /** Null in the one row that comes when nothing is due. */
  readonly app_id: string | null;
  readonly receiver: string;
  readonly due: number;
  readonly due_events: number;
  readonly next_due_at_ms: number | null;
  readonly resume_after: Readonly<Record<string, string>> | null;
}

function queueOf({ app_id: appId, receiver, due, due_events: dueEvents }: Row): readonly DueQueue[] {
  return appId === null ? [] : [{ appId, receiver, dueAtMs: due, dueEvents }];
}
