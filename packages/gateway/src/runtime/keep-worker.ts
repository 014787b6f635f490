// Restarts a worker that a bug ended, after a pause. The other workers are not affected.
import type { Log } from './log.ts';
import type { World } from './world.ts';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

export interface WorkerParts {
  readonly world: World;
  readonly log: Log;
  readonly onBug: () => void;
}

/** A worker is what one role does on one chain, or the role where it has no chains. It runs until the signal. */
export async function keepWorker(
  { world, log, onBug }: WorkerParts,
  worker: string,
  signal: AbortSignal,
  run: () => Promise<void>,
): Promise<void> {
  for (let bugs = 0; ; ) {
    const startedMs = world.nowMs();
    try {
      return await run();
    } catch (error) {
      const wasLong = world.nowMs() - startedMs > LONGEST_PAUSE_MS;
      bugs = wasLong ? 1 : bugs + 1;
      onBug();
      log.error({ worker, error }, 'a bug ended a worker, which begins anew; the others go on');
      await world.sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, bugs - 1)), signal);
      if (signal.aborted) return;
    }
  }
}
