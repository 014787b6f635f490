// What follows from the end of a collection's step: the next step, or how its holding goes on. Never the same at once.
import type { OutgoingState } from '../outgoing/outgoing.ts';

export interface EndedStep {
  /** `funding`: the coin for the transfer. `delegating`: the energy for it. `moving`: the transfer. */
  readonly state: 'funding' | 'delegating' | 'moving';
  /** Whether energy is delegated for it, once the coin is there. */
  readonly isDelegated: boolean;
  /** Whether it is part of a sweep: the next attempt goes by itself. */
  readonly isSwept: boolean;
  /** Of its outgoing transaction; `waiting` where it has been in trouble for too long. */
  readonly step: OutgoingState;
  readonly trouble: string | null;
  /** Collections of this holding in a row that moved nothing, before this one. */
  readonly failures: number;
}

export type AfterStep =
  /** The coin is there, where it was missing. */
  | { readonly kind: 'delegate' }
  /** All that the transfer needs is there. */
  | { readonly kind: 'move' }
  | { readonly kind: 'collected' }
  /** Nothing was moved. It is tried again by a new plan at a later time. */
  | { readonly kind: 'again'; readonly reason: string; readonly pauseMs: number }
  /** Only an operator tries it again. */
  | { readonly kind: 'freeze'; readonly reason: string }
  | { readonly kind: 'nothing' };

/** After so many in a row an operator has to look. */
export const MOST_FAILURES = 3;

const FIRST_PAUSE_MS = 60 * 60 * 1_000;
const LONGEST_PAUSE_MS = 24 * FIRST_PAUSE_MS;
/** After a sweep that nobody signed: that says nothing of the address, and another method follows. */
const UNSWEPT_PAUSE_MS = 60_000;

/** How long after so many failures in a row, from 1. */
export function failurePauseMs(failures: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 4 ** Math.min(10, Math.max(0, failures - 1)));
}

export function afterStep({ state, isDelegated, isSwept, step, trouble, failures }: EndedStep): AfterStep {
  switch (step) {
    case 'succeeded':
      if (state === 'funding' && isDelegated) return { kind: 'delegate' };
      return state === 'moving' ? { kind: 'collected' } : { kind: 'move' };
    case 'mismatched':
      return { kind: 'freeze', reason: 'the chain moved something else than was asked for' };
    case 'failed':
      // mark: a-failed-collection-never-loops
      return failures + 1 >= MOST_FAILURES
        ? { kind: 'freeze', reason: `the transfer failed on the chain ${failures + 1} times in a row` }
        : {
            kind: 'again',
            reason: 'the transfer failed on the chain',
            pauseMs: failurePauseMs(failures + 1),
          };
    case 'waiting':
    case 'cancelled':
      return {
        kind: 'again',
        reason: trouble ?? 'it was taken back before anything was signed',
        pauseMs: isSwept ? UNSWEPT_PAUSE_MS : failurePauseMs(failures + 1),
      };
    case 'prepared':
    case 'signed':
      return { kind: 'nothing' };
  }
}
