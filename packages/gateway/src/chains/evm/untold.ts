// Whether an endpoint only did not tell a trace: asked again, for less at once or later, and no fault of it.
import { Outage } from '../../runtime/outage.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { Throttled } from '../endpoint/throttled.ts';
import { Untimely } from '../endpoint/untimely.ts';
import { OutOfTime } from './reading-time.ts';
import { NodeError } from './rpc.ts';

const otherwise = [LyingNode, Throttled, Untimely, OutOfTime];

/** A backend that has not got the block yet, or had it before a fork: nothing is known then, and no payer made it so. */
export class MissingTrace extends Outage {
  constructor(reason: string) {
    super(reason, { retryable: true });
  }
}

/** Throws MissingTrace where there is none. */
export function expectTrace(answer: unknown): unknown {
  if (answer === null) throw new MissingTrace('has no such trace');
  return answer;
}

// EIP-1474's code for what the node does not have, and the words of those that use another one.
const resourceNotFound = -32001;
const saysMissing =
  /not found|(?:cannot|can't|could ?n[o']t) find|(?:unknown|no such) (?:block|header|transaction)|does not exist|not (?:yet )?indexed|indexing is in progress/i;

/** Whether the endpoint may only not have come as far as the block that it traces. */
export function isMissing(error: unknown): error is Outage {
  if (error instanceof MissingTrace) return true;
  return error instanceof NodeError && (error.code === resourceNotFound || saysMissing.test(error.message));
}

/**
 * Payers decide what a trace costs, and a backend that breaks over one shows it in any way: silence, a status, a broken
 * connection, words of its own.
 */
export function isUntold(error: unknown): error is Outage {
  return error instanceof Outage && !otherwise.some((kind) => error instanceof kind);
}
