// The primary dies under load: its standby must have every COMMIT that was acknowledged, however far it lags behind.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Fault } from './fault.ts';
import type { Load } from '../load/load.ts';
import type { Stage } from '../stage.ts';

export const FAIL_OVER = 'kill -9 of the primary, standby promoted';

const WITHIN_MS = 60_000;

/** A primary that does not wait for its standby acknowledges so many orders before it dies with them. */
const AT_STAKE = 3;

/** With synchronous replication, the share of primaries whose stream is held before they die. */
const HELD = 0.7;

/**
 * Most primaries die while the standby receives nothing from them. The hits are then the COMMITs that wait for the
 * standby. With asynchronous replication every primary dies like this, and the hits are acknowledged orders.
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

/** Waits until a COMMIT that opens an order waits for the standby. Returns how many COMMITs wait then. */
export function untilOrderWaits({ database }: Stage): Promise<number> {
  const waiting = `select count(*)::integer as count from pg_stat_activity
    where wait_event = 'SyncRep' having bool_or(query ilike '%insert into orders%')`;
  const commits = async () => (await database.query<{ count: number }>(waiting))[0]?.count;
  return waitUntil('an order to wait for the standby', commits, { timeoutMs: WITHIN_MS });
}

/** Waits until enough orders that were asked for after this call are acknowledged. Returns their number. */
function untilAcknowledged({ acknowledged }: Load): Promise<number> {
  const sinceMs = performance.now();
  const enough = () => {
    const { length } = acknowledged.filter(({ askedMs }) => askedMs > sinceMs);
    return length >= AT_STAKE && length;
  };
  return waitUntil('orders to be acknowledged', enough, { timeoutMs: WITHIN_MS });
}
