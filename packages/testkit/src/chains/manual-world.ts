// A world whose clock stands still until a test moves it, and whose sleepers wake when their time has come.
import type { World } from '@ducat/gateway/runtime/world';

export interface ManualWorld extends World {
  /** Moves the clock and wakes each sleeper whose time has come. */
  advance(ms: number): void;
}

export function manualWorld(): ManualWorld {
  let now = 1_700_000_000_000;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    nowMs: () => now,
    random: (bytes) => new Uint8Array(bytes),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = { until: now + ms, wake: resolve };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', () => {
          sleepers.delete(sleeper);
          resolve();
        });
      }),
    advance(ms) {
      now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.until > now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
    },
  };
}
