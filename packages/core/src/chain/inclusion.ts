// The fate of a transaction that we named: in which block it is, whether it succeeded, and what it cost.
import type { Amount } from '../money/amount.ts';
import type { BlockStamp } from './transfer.ts';

/** A failed token transfer leaves no Transfer behind; its inclusion is the only trace of it. */
export interface Inclusion {
  readonly chain: string;
  readonly txId: string;
  readonly block: BlockStamp;
  readonly status: 'succeeded' | 'failed';
  /** Who paid the fee. */
  readonly payer: string;
  /** Paid in the native currency. */
  readonly fee: Amount;
}
