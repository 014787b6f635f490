// Repeats a piece of work on a number of concurrency slots until the time is over, and counts what was finished.
import type { Rate } from './rounds.ts';

/** Work, and the CPU time that its own process used for it. */
export interface Driven extends Rate {
  readonly cpuSeconds: number;
}

/** The same work by CPU time instead of wall-clock time. */
export function byProcessor({ count, cpuSeconds }: Driven): Rate {
  return { count, seconds: cpuSeconds };
}

/** Each slot begins its next piece of work when its last is done. */
export async function drive(
  concurrency: number,
  seconds: number,
  work: (slot: number) => Promise<void>,
): Promise<Driven> {
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  const endMs = startMs + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async (_, slot) => {
      while (performance.now() < endMs) {
        await work(slot);
        count += 1;
      }
    }),
  );
  const { user, system } = process.cpuUsage(startCpu);
  return { count, seconds: (performance.now() - startMs) / 1000, cpuSeconds: (user + system) / 1e6 };
}
