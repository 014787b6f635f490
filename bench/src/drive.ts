// Keeps a number of lanes busy until the time is over, and counts what they finished.
import type { Rate } from './rounds.ts';

/** A load that was driven, and what driving it cost this process alone. */
export interface Driven extends Rate {
  readonly cpuSeconds: number;
}

/** Each lane begins its next piece of work when its last is done. */
export async function drive(
  lanes: number,
  seconds: number,
  work: (lane: number) => Promise<void>,
): Promise<Driven> {
  const startMs = performance.now();
  const startCpu = process.cpuUsage();
  const endMs = startMs + seconds * 1000;
  let count = 0;
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (performance.now() < endMs) {
        await work(lane);
        count += 1;
      }
    }),
  );
  const { user, system } = process.cpuUsage(startCpu);
  return { count, seconds: (performance.now() - startMs) / 1000, cpuSeconds: (user + system) / 1e6 };
}
