// The datum that walks through Ducat: one transfer of one currency on one chain.
import type { Amount } from '../money/amount.ts';

/** Which block, and when. `time` is Unix seconds, by the block's own clock. */
export interface BlockStamp {
  readonly number: number;
  readonly hash: string;
  readonly time: number;
}

/** A block as its header describes it. */
export interface BlockHeader extends BlockStamp {
  readonly parentHash: string;
}

/**
 * One executed transfer of value. Its identity is (chain, txId, position): `position` counts inside the
 * transaction, so it stays the same when the transaction is included again in another block.
 */
export interface Transfer {
  readonly chain: string;
  readonly txId: string;
  readonly position: string;
  readonly from: string;
  readonly to: string;
  readonly amount: Amount;
  readonly block: BlockStamp;
}
