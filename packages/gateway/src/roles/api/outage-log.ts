// Logs requests that failed because the database is away: one line a second, however many they are.
import type { World } from '../../runtime/world.ts';
import type { ApiLogger } from './api-deps.ts';

const EVERY_MS = 1000;

/** Notes one such request. A line for each request would flood the log at the very time when people read it. */
export type OutageLog = (requestId: string, error: unknown) => void;

/** The first request gets a line at once, with its error. `since_last` counts the requests that got no line. */
export function createOutageLog(world: World, logger: ApiLogger): OutageLog {
  let [writtenAtMs, unwritten] = [Number.NEGATIVE_INFINITY, 0];
  return (requestId, error) => {
    const sinceMs = world.nowMs() - writtenAtMs;
    // A clock that was set back must not silence the log.
    if (sinceMs >= 0 && sinceMs < EVERY_MS) {
      unwritten += 1;
      return;
    }
    logger.error({ requestId, err: error, since_last: unwritten }, 'request failed: the database is away');
    [writtenAtMs, unwritten] = [world.nowMs(), 0];
  };
}
