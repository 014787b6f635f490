// The shape of a conformance check, and the means that it may use.
import { isDeepStrictEqual } from 'node:util';
import type { DevKey } from '../protocol/keys.ts';
import { writeJson } from '../http/json/json-text.ts';
import type { NodeClient } from './node-client.ts';

export interface CheckContext {
  readonly node: NodeClient;
  /** A funded account of the chain: a few hundred TRX. */
  readonly payer: DevKey;
  /** How long a check waits for a block or for solidity. */
  readonly timeoutMs: number;
}

export interface Check {
  /** A sentence that is true of java-tron. */
  readonly name: string;
  readonly run: (context: CheckContext) => Promise<void>;
}

/** Throws with both values where they differ. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: expected ${writeJson(expected)}, got ${writeJson(actual)}`);
}

export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

const pauseMs = 100;

/** Polls until the answer is not null. Throws after the timeout. */
export async function eventually<T>(
  context: CheckContext,
  what: string,
  ask: () => Promise<T | null>,
): Promise<T> {
  const end = Date.now() + context.timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within ${context.timeoutMs} ms`);
    await new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    });
  }
}
