// What follows when a step of a collection has ended: the next step, or the collection's end. No step is repeated at once.
import type { OutgoingState } from '../outgoing/outgoing.ts';

export interface EndedStep {
  /** `funding`: the coin for the transfer. `delegating`: the energy for it. `moving`: the transfer. */
  readonly state: 'funding' | 'delegating' | 'moving';
  /** Whether energy is delegated for the transfer once the coin has arrived. */
  readonly isDelegated: boolean;
  /** Whether the transfer is part of a sweep. The next attempt is made by the address alone then. */
  readonly isSwept: boolean;
  /** State of the step's outgoing transaction; `waiting` where that has been in trouble for too long. */
  readonly step: OutgoingState;
  readonly trouble: string | null;
  /** Collections of this holding in a row that moved nothing, before this one. */
  readonly failures: number;
}

export type AfterStep =
  /** The coin that was missing has arrived. */
  | { readonly kind: 'delegate' }
  /** All that the transfer needs is there. */
  | { readonly kind: 'move' }
  | { readonly kind: 'collected' }
  /** Nothing was moved. A new plan tries it again later. */
  | { readonly kind: 'again'; readonly reason: string; readonly pauseMs: number }
  /** Only an operator tries it again. */
  | { readonly kind: 'freeze'; readonly reason: string }
  | { readonly kind: 'nothing' };

/** After so many failures in a row an operator has to look. */
export const MOST_FAILURES = 3;

const FIRST_PAUSE_MS = 60 * 60 * 1_000;
const LONGEST_PAUSE_MS = 24 * FIRST_PAUSE_MS;
/** The pause after a sweep that was never signed. It is short: the address is not at fault, and another method follows. */
const UNSWEPT_PAUSE_MS = 60_000;

/** The pause after so many failures in a row, counted from 1. */
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
