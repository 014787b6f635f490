// Nodes without the state of old blocks, which cannot trace them: known by what they say, and named for the operator.
import { Untimely } from '../endpoint/untimely.ts';
import { NodeError } from './rpc.ts';

// geth and its kin, reth, Nethermind, Besu, Erigon.
const looked =
  /historical state|missing trie node|no state available|world state unavailable|state (?:at block )?\S{1,80} is (?:not available|pruned)|(?:history|block)[^.]{0,60} pruned/i;
// Providers that sell old state apart.
const sold = /archive (?:node|mode|data|request)/i;

/** Whether it is the answer of a node that has no state to trace with. */
export function saysOldState(error: unknown): error is NodeError {
  return error instanceof NodeError && (looked.test(error.message) || sold.test(error.message));
}

/** Whether the node itself looked for the state, rather than what is before it, which needs no node to say so. */
export function hasThrownAway(error: unknown): boolean {
  return error instanceof NodeError && looked.test(error.message) && !sold.test(error.message);
}

/**
 * For `catch` of a trace: throws the error as it is, or an Outage that says what is missing and what is to be done, which
 * `onNamed` is told of. It is no fault: blocks get old while others are waited for, and the node shows all the rest.
 */
export function namingOldState(
  number: number,
  onNamed: (what: string) => void = () => undefined,
): (error: unknown) => never {
  return (error) => {
    if (!saysOldState(error)) throw error;
    const what = `has no state of the time of block ${number} to trace it with`;
    const remedy =
      'put nodes that keep it (archive) into rpc_urls, or see docs/operate/old-state.md for traces = "none"';
    onNamed(what);
    throw new Untimely(`${what}: ${remedy}; it ${error.message}`, { kind: 'no-old-state', cause: error });
  };
}
