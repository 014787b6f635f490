// What becomes of the energy that a collection had delegated, once the collection is over: it always comes back.
import type { OutgoingState } from '../outgoing/outgoing.ts';
import { failurePauseMs } from './after-step.ts';

/** By the books, and by a quorum of the chain where that was asked. */
export interface DelegatedEnergy {
  /** The transaction that delegates it; null where it was never asked for. */
  readonly delegated: OutgoingState | null;
  /** The newest that takes it back; null before the first. */
  readonly returned: OutgoingState | null;
  /** When that one ended; null while it has not. */
  readonly returnedAtMs: number | null;
  /** How often it was asked to be taken back. */
  readonly returns: number;
  /** Whether that one waits in trouble for too long. */
  readonly isStuck: boolean;
  /** Whether the chain still has it at the address; null where no quorum was asked, or none answered. */
  readonly report: 'delegated' | 'gone' | null;
  /** Since when it is reported as gone; null while it is not. */
  readonly goneSinceMs: number | null;
}

export type AfterDelegation =
  /** Something of it is on its way. */
  | { readonly kind: 'wait' }
  /** What waits and was never signed is taken back. */
  | { readonly kind: 'cancel' }
  /** The last attempts came to nothing: the next one is later, each time longer. */
  | { readonly kind: 'pause'; readonly untilMs: number }
  /** The chain has to say whether it is still there. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'undelegate' }
  /** The chain says that it is gone, and may only be behind. */
  | { readonly kind: 'doubt' }
  /** `taken`: the staker's own key, or another one, took it back. */
  | { readonly kind: 'over'; readonly how: 'never' | 'returned' | 'taken' };

/** A node that is so far behind is no provider any more. */
const DOUBT_MS = 60 * 60 * 1_000;

export function afterDelegation(energy: DelegatedEnergy, nowMs: number): AfterDelegation {
  switch (energy.delegated) {
    case null:
    case 'cancelled':
    case 'failed':
      return { kind: 'over', how: 'never' };
    case 'waiting':
      return { kind: 'cancel' };
    // A block may hold the delegation: until that is final, it is unknown whether there is something to take back.
    case 'prepared':
    case 'signed':
      return { kind: 'wait' };
    case 'succeeded':
    case 'mismatched':
      return afterReturn(energy, nowMs);
  }
}

function afterReturn(
  { returned, returnedAtMs, returns, isStuck, report, goneSinceMs }: DelegatedEnergy,
  nowMs: number,
): AfterDelegation {
  switch (returned) {
    case 'succeeded':
      return { kind: 'over', how: 'returned' };
    case 'waiting':
      return { kind: isStuck ? 'cancel' : 'wait' };
    case 'prepared':
    case 'signed':
      return { kind: 'wait' };
    case null:
    case 'cancelled':
    case 'failed':
    case 'mismatched':
      break;
  }
  if (report === null) return { kind: 'ask' };
  if (report === 'delegated') {
    const untilMs = returnedAtMs === null ? nowMs : returnedAtMs + failurePauseMs(returns);
    // mark: taken-back-again-only-after-a-pause
    return untilMs > nowMs ? { kind: 'pause', untilMs } : { kind: 'undelegate' };
  }
  // mark: gone-only-after-an-hour
  return goneSinceMs !== null && goneSinceMs <= nowMs - DOUBT_MS
    ? { kind: 'over', how: 'taken' }
    : { kind: 'doubt' };
}
