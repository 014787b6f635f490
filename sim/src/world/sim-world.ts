// The World of one simulated process: the scheduler's clock with an error, its own chance, sleeps that the scheduler ends.
import type { World } from '@ducat/gateway/runtime/world';
import type { Chance } from './chance.ts';
import type { Scheduler } from './scheduler.ts';
import type { SimProcess } from './sim-process.ts';

export function simWorld(scheduler: Scheduler, process: SimProcess, chance: Chance): World {
  return {
    nowMs: () => scheduler.nowMs + process.clockErrorMs,
    random: (bytes) => chance.bytes(bytes),
    sleep: (ms, signal) => {
      if (signal?.aborted === true) return Promise.resolve();
      const sleep = scheduler.sleep(process, ms);
      signal?.addEventListener('abort', sleep.cancel, { once: true });
      return sleep.promise.then(() => signal?.removeEventListener('abort', sleep.cancel));
    },
  };
}
