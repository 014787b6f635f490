// A world whose clock stands still until a test moves it; chance and sleep are real.
import { realWorld, type World } from '@ducat/gateway/runtime/world';

export interface TestWorld extends World {
  /** Moves the clock, in milliseconds. */
  advance(ms: number): void;
}

export function createTestWorld(startMs: number): TestWorld {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    random: (bytes) => realWorld.random(bytes),
    sleep: (ms, signal) => realWorld.sleep(ms, signal),
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
