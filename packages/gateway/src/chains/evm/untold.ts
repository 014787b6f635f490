// Whether an endpoint only did not tell a trace: asked again, for less at once or later, and no fault of it.
import { Outage } from '../../outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { Throttled } from '../endpoint/throttled.ts';
import { Untimely } from '../endpoint/untimely.ts';
import { OutOfTime } from './reading-time.ts';

const otherwise = [LyingNode, Throttled, Untimely, OutOfTime];

/** A backend that has not got the block yet, or had it before a fork, answers null: nothing is known then, and it is no lie. */
export function expectTrace(answer: unknown): unknown {
  if (answer === null) throw new Outage('has no such trace', { retryable: true });
  return answer;
}

/**
 * Payers decide what a trace costs, and a backend that breaks over one shows it in any way: silence, a status, a broken
 * connection, words of its own.
 */
export function isUntold(error: unknown): error is Outage {
  return error instanceof Outage && !otherwise.some((kind) => error instanceof kind);
}
