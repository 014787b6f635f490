// Finished events of one app between two ids, the oldest first, so that those of one order are resent in their order.
import type { Reader } from '../../postgres/tx.ts';
import { oneOf } from '../../tables/one-of.ts';
import { readLookedThrough } from './looked-through.ts';
import { rowsLookedAt } from './rows-looked-at.ts';

export interface ResendSpan {
  readonly appId: string;
  readonly state: 'dead' | 'delivered';
  /** Only events behind this id and before the other one. */
  readonly after: string;
  readonly before: string;
  readonly limit: number;
}

export interface EventsToResend {
  readonly eventIds: readonly string[];
  /** Set if the page ended before it was full: events up to this one were searched, newer ones were not. */
  readonly searchedTo: string | null;
}

/** Dead events have an index. For delivered ones a bounded number of rows is searched, in the outbox and in the archive each. */
export async function readEventsToResend(reader: Reader, span: ResendSpan): Promise<EventsToResend> {
  const { appId, state, after, before, limit } = span;
  const depth = state === 'dead' ? limit : rowsLookedAt({ lists: 2, limit });
  const { rows, searchedTo } = await readLookedThrough<{ readonly eventId: string }>(reader, {
    found: FOUND[state],
    floor: state === 'dead' ? 'SELECT NULL AS floor' : STOP,
    id: 'eventId',
    isOldestFirst: true,
    values: [appId, after, before, limit, depth],
    limit,
  });
  return { eventIds: rows.map(({ eventId }) => eventId), searchedTo };
}

const SPAN = `${oneOf('app_id', '$1::text')} AND event_id > $2 AND event_id < $3`;

/** Written as in the conditions of the indexes. */
const FOUND = { dead: found(`AND state = 'dead'`, 'true'), delivered: found('', `state = 'delivered'`) };

function found(indexed: string, searched: string): string {
  const page = (table: string) => `
    SELECT event_id FROM (
      SELECT event_id, state FROM ${table} WHERE ${SPAN} ${indexed} ORDER BY app_id, event_id LIMIT $5::integer) AS looked
    WHERE ${searched} ORDER BY event_id LIMIT $4::integer`;
  return `
    SELECT event_id AS "eventId" FROM ((${page('events')}) UNION ALL (${page('archived_events')})) AS either
    ORDER BY event_id LIMIT $4::integer`;
}

/** SQL: the newest event that was searched, if there are more. */
const STOP = `SELECT min(event_id) AS floor FROM ((${lastOf('events')}) UNION ALL (${lastOf('archived_events')})) AS last`;

function lastOf(table: string): string {
  return `SELECT event_id FROM ${table} WHERE ${SPAN} ORDER BY app_id, event_id OFFSET $5::integer - 1 LIMIT 1`;
}
