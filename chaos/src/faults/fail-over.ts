// The death of the primary under load: what it has answered must be with its standby, however far that lags behind.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Fault } from './fault.ts';
import type { Load } from '../load/load.ts';
import type { Stage } from '../stage.ts';

export const FAIL_OVER = 'kill -9 of the primary, standby promoted';

const WITHIN_MS = 60_000;

/** So many orders are acknowledged by a primary that does not wait for its standby, before it dies with them. */
const AT_STAKE = 3;

/** How many of the primaries that are waited for die with their stream held. */
const HELD = 0.7;

/**
 * Most primaries die while the standby receives nothing from them. The hits are the COMMITs that wait for the standby then.
 * Where no COMMIT waits for the standby every primary dies so, and the hits are orders that were acknowledged.
 */
export function failOver(load: Load): Fault {
  return async ({ stage, chance, note, hit }) => {
    const { isSynchronous } = stage.database;
    if (!chance.happens(isSynchronous ? HELD : 1)) return stage.database.failOver();
    const untilAtStake = isSynchronous ? () => untilOrderWaits(stage) : () => untilAcknowledged(load);
    await stage.database.failOver(async () => hit(await untilAtStake()));
    note('failovers with the stream held, which threw away all that the standby had not');
  };
}

/** Returns how many COMMITs wait for the standby once one of them opens an order. */
export function untilOrderWaits({ database }: Stage): Promise<number> {
  const waiting = `select count(*)::integer as count from pg_stat_activity
    where wait_event = 'SyncRep' having bool_or(query ilike '%insert into orders%')`;
  const commits = async () => (await database.query<{ count: number }>(waiting))[0]?.count;
  return waitUntil('an order to wait for the standby', commits, { timeoutMs: WITHIN_MS });
}

/** Returns how many orders were asked for and acknowledged since it was called. */
function untilAcknowledged({ acknowledged }: Load): Promise<number> {
  const sinceMs = performance.now();
  const enough = () => {
    const { length } = acknowledged.filter(({ askedMs }) => askedMs > sinceMs);
    return length >= AT_STAKE && length;
  };
  return waitUntil('orders to be acknowledged', enough, { timeoutMs: WITHIN_MS });
}
