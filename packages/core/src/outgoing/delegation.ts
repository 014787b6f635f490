// An outgoing transaction that moves no money: energy of a staker's stake goes to an address of ours, or is taken back.
import type { Staker } from '../signing/transfer-intent.ts';

/** The outgoing transaction's amount is the stake, in the native currency; its `to` is the address that has the energy. */
export interface Delegation {
  readonly action: 'delegate' | 'undelegate';
  readonly staker: Staker;
}
