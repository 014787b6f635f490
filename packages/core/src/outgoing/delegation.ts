// An outgoing transaction that moves no money: energy of a staker's stake goes to an address of ours, or is taken back.
import type { Staker } from '../signing/transfer-intent.ts';

/** The outgoing transaction's amount is the stake, in the native currency; its `to` is the address that has the energy. */
export interface Delegation {
  readonly action: 'delegate' | 'undelegate';
  readonly staker: Staker;
}

/** Every transaction uses up limits of the signer. Nodes that took none of so many would not take the next one. */
const MOST_BUILT = 6;

/** Whether one more is built after `built` transactions expired in no block. If not, a collector takes the request back. */
export function mayBuildAnother(delegation: Delegation | null, built: number): boolean {
  // mark: a-delegation-is-built-so-often
  return delegation === null || built < MOST_BUILT;
}
