// Clock, chance and waiting of the client, so that a test can hand in its own.

/** The client's clock, random numbers and sleep. */
export interface World {
  /** Milliseconds since 1970. */
  readonly nowMs: () => number;
  /** A number from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  readonly sleep: (durationMs: number) => Promise<void>;
}

/** The real world. */
export const realWorld: World = {
  nowMs: () => Date.now(),
  random: () => Math.random(),
  sleep: (durationMs) =>
    new Promise((resolve) => {
      setTimeout(resolve, durationMs);
    }),
};
