// A world whose clock moves only when a test moves it.
import type { World } from '@ducat/gateway/runtime/world';

export interface HandClock extends World {
  /** The duration of each sleep since the start, in order. */
  readonly asked: readonly number[];
  /** Moves the clock and wakes each sleeper whose time has come. */
  advance(ms: number): void;
}

/** Starts at `startMs`. Its random bytes come from a counter. */
export function createHandClock(startMs: number): HandClock {
  let nowMs = startMs;
  let count = 0;
  const asked: number[] = [];
  const sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>();
  return {
    asked,
    nowMs: () => nowMs,
    random: (bytes) => new Uint8Array(bytes).fill(++count % 256),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        asked.push(ms);
        if (signal?.aborted === true) return resolve();
        const sleeper = { untilMs: nowMs + ms, wake };
        function wake(): void {
          sleepers.delete(sleeper);
          signal?.removeEventListener('abort', wake);
          resolve();
        }
        sleepers.add(sleeper);
        signal?.addEventListener('abort', wake);
        return undefined;
      }),
    advance(ms) {
      nowMs += ms;
      for (const sleeper of sleepers) if (sleeper.untilMs <= nowMs) sleeper.wake();
    },
  };
}
