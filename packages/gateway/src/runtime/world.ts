// Time, chance and sleep: the only file of the gateway that touches them. The simulator hands in another world.
import { randomBytes, randomFillSync } from 'node:crypto';

export interface World {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Cryptographically strong bytes. */
  random(bytes: number): Uint8Array;
  /** Resolves after the time, or at once when the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The real world. */
export const realWorld: World = {
  nowMs: () => Date.now(),
  random: takeRandom,
  // The sleep of node:timers/promises makes an error with a stack for each sleep that is cut short, and most timeouts are.
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener('abort', end);
    }),
};

/** Calls `work` once everything that sockets brought in this turn of the event loop has been read. */
export function nextTurn(work: () => void): void {
  setImmediate(work);
}

/** A system call for thirteen random bytes costs as much as one for thousands, and every request takes some. */
const drawn = Buffer.alloc(4_096);
let taken = drawn.length;

/** Returns bytes in a buffer of their own, which are kept nowhere else. */
function takeRandom(bytes: number): Uint8Array {
  if (!Number.isInteger(bytes) || bytes < 0) throw new RangeError(`${bytes} is no number of bytes`);
  if (bytes > drawn.length) return randomBytes(bytes);
  if (taken + bytes > drawn.length) {
    randomFillSync(drawn);
    taken = 0;
  }
  const part = Uint8Array.from(drawn.subarray(taken, taken + bytes));
  drawn.fill(0, taken, taken + bytes);
  taken += bytes;
  return part;
}

/** The result of the work, or null where it takes longer than `ms`. The work itself goes on. */
export async function within<T>(world: World, ms: number, work: Promise<T>): Promise<T | null> {
  const done = new AbortController();
  try {
    return await Promise.race([work, world.sleep(ms, done.signal).then(() => null)]);
  } finally {
    done.abort();
  }
}

/**
 * True at the first call, and then once in `everyMs`. A clock that ran ahead and was set right delays the next true no
 * longer.
 */
export function pacer(world: Pick<World, 'nowMs'>, everyMs: number): () => boolean {
  let lastMs = -Infinity;
  return () => {
    const nowMs = world.nowMs();
    if (Math.abs(nowMs - lastMs) < everyMs) return false;
    lastMs = nowMs;
    return true;
  };
}

/** Unix time in whole seconds. */
export function unixTime(world: World): number {
  return Math.floor(world.nowMs() / 1000);
}
