// A world whose clock moves only while all work sleeps, and then jumps to the time at which the next sleeper wakes.
import type { World } from '@ducat/gateway/runtime/world';

export interface VirtualClock extends World {
  /**
   * Lets time pass until the work is done. Rejects as the work does, or where the work waits and no sleeper is left.
   */
  run<T>(work: Promise<T>): Promise<T>;
}

/** Starts at `startMs`. Its random bytes come from a counter. */
export function createVirtualClock(startMs = 1_700_000_000_000): VirtualClock {
  let nowMs = startMs;
  let count = 0;
  const sleepers = new Set<Sleeper>();
  const next = (): Sleeper | undefined =>
    [...sleepers].reduce<Sleeper | undefined>(
      (first, one) => (first === undefined || one.untilMs < first.untilMs ? one : first),
      undefined,
    );
  return {
    nowMs: () => nowMs,
    random: (bytes) => new Uint8Array(bytes).fill(++count % 256),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = (): void => {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        const sleeper: Sleeper = { untilMs: nowMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
        return undefined;
      }),
    async run(work) {
      const state = { isDone: false };
      void work.finally(() => (state.isDone = true)).catch(() => undefined);
      for (;;) {
        await settled();
        if (state.isDone) return work;
        const sleeper = next();
        if (sleeper === undefined) throw new Error('the work waits for something that never comes');
        nowMs = Math.max(nowMs, sleeper.untilMs);
        sleeper.wake();
      }
    },
  };
}

interface Sleeper {
  readonly untilMs: number;
  readonly wake: () => void;
}

/** Resolves when nothing is left to do without time passing. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
