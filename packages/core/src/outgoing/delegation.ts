// An outgoing transaction that moves no money: energy of a staker's stake goes to an address of ours, or is taken back.
import type { Staker } from '../signing/transfer-intent.ts';

/** The outgoing transaction's amount is the stake, in the native currency; its `to` is the address that has the energy. */
export interface Delegation {
  readonly action: 'delegate' | 'undelegate';
  readonly staker: Staker;
}

/** Each costs the signer's limits, and a node that takes none of them takes no further one. */
const MOST_BUILT = 6;

/** Whether it is built anew after so many transactions of it expired unmined. Else a collector takes the request back. */
export function mayBuildAnother(delegation: Delegation | null, built: number): boolean {
  // mark: a-delegation-is-built-so-often
  return delegation === null || built < MOST_BUILT;
}
