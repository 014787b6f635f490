// What happens to the energy that was delegated for a collection, once the collection is over: it is always taken back.
import type { OutgoingState } from '../outgoing/outgoing.ts';
import { failurePauseMs } from './after-step.ts';

/** Energy of one collection, by the books, and by a quorum of the chain where one was asked. */
export interface DelegatedEnergy {
  /** State of the transaction that delegates the energy; null where none was requested. */
  readonly delegated: OutgoingState | null;
  /** State of the newest transaction that takes the energy back; null before the first. */
  readonly returned: OutgoingState | null;
  /** When the newest one ended; null while it has not. */
  readonly returnedAtMs: number | null;
  /** How many transactions that take the energy back were requested. */
  readonly returns: number;
  /** Whether the newest one has waited in trouble for too long. */
  readonly isStuck: boolean;
  /** Whether the energy is still at the address, as a quorum reports; null where no quorum was asked, or none answered. */
  readonly report: 'delegated' | 'gone' | null;
  /** Since when a quorum reports the energy as gone; null while none does. */
  readonly goneSinceMs: number | null;
}

export type AfterDelegation =
  /** A transaction that delegates the energy or takes it back has not ended. */
  | { readonly kind: 'wait' }
  /** The transaction that waits was never signed, and is cancelled. */
  | { readonly kind: 'cancel' }
  /** The last attempts to take the energy back failed. The next one waits, longer each time. */
  | { readonly kind: 'pause'; readonly untilMs: number }
  /** A quorum has to report whether the energy is still at the address. */
  | { readonly kind: 'ask' }
  | { readonly kind: 'undelegate' }
  /** A quorum reports the energy as gone, but its nodes may only be behind. */
  | { readonly kind: 'doubt' }
  /** `taken`: the staker's own key, or another one, took the energy back. */
  | { readonly kind: 'over'; readonly how: 'never' | 'returned' | 'taken' };

/** How long a quorum has to report the energy as gone: a node that is so far behind is not used any more. */
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
