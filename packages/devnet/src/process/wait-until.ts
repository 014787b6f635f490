// Polls a condition until it holds or a deadline passes.

/**
 * Calls `condition` every `everyMs` until it returns something other than `undefined` or `false`,
 * and returns that. Throws an Error that contains `what` when `timeoutMs` has passed.
 */
export async function waitUntil<Value>(
  what: string,
  condition: () => Promise<Value | undefined | false> | Value | undefined | false,
  { timeoutMs = 30_000, everyMs = 10 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<Value> {
  const deadlineMs = performance.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadlineMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
