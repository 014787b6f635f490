// Polls a condition until it holds or a deadline passes.

/** The first and the longest pause. Pauses grow, so that polling for seconds does not burden the process it waits for. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 50;

/**
 * Calls `condition` until it returns something other than `undefined` or `false`, and returns that value. The calls are
 * `everyMs` apart, or without `everyMs` with pauses that grow from 5 to 50 ms. Throws an Error that contains `what`
 * when `timeoutMs` has passed.
 */
export async function waitUntil<Value>(
  what: string,
  condition: () => Promise<Value | undefined | false> | Value | undefined | false,
  { timeoutMs = 30_000, everyMs }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Value> {
  const deadlineMs = performance.now() + timeoutMs;
  let pauseMs = everyMs ?? FIRST_PAUSE_MS;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    const waitMs = pauseMs;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    pauseMs = everyMs ?? Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}
