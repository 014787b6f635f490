// What the simulated chains consist of: transactions that payers sent, and the blocks that hold them.
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { EvmTransferIntent, TransferIntent } from '@ducat/core/signing/transfer-intent';

export interface ValueTransfer {
  readonly currencyId: number;
  readonly from: string;
  readonly to: string;
  /** Base units; a transfer of zero is on the chain but moves nothing. */
  readonly units: bigint;
  /** The transfer only looks like a payment: a log of another shape, or value in a call that was reverted. */
  readonly isTrap?: boolean;
}

/** What a sender of ours paid for a transaction, in the coin of the chain. */
export interface Fee {
  readonly from: string;
  readonly currencyId: number;
  readonly units: bigint;
}

/** A transaction that one of our own keys signed. */
export interface OutgoingCall {
  readonly from: string;
  readonly intent: TransferIntent;
  /** The contract reverts, whenever the call is executed. */
  readonly reverts: boolean;
  /** Null until a block holds it. */
  readonly fee: Fee | null;
  /** How much of the energy that the call took came from a stake. */
  readonly stakedEnergy?: bigint;
}

/** Stake of the operator whose energy an address has from then on. Negative where it is taken back. */
export interface DelegatedStake {
  readonly to: string;
  readonly sun: bigint;
}

/** A transaction of a stranger, who reuses the authorisations of a sweep and empties one of its addresses. */
export interface StrangerSweep {
  readonly intent: EvmTransferIntent;
  readonly address: string;
}

/** What a transaction authorises, and whether it deploys. Authorisations take effect even if the transaction fails. */
export interface Delegating {
  readonly authorised: readonly string[];
  readonly wallet: string;
  readonly deploys: boolean;
}

export interface SentTransaction {
  readonly txId: string;
  readonly valueTransfers: readonly ValueTransfer[];
  /** A failed transaction moves nothing. */
  readonly failed: boolean;
  /** What a node answers about it, in its family's own words. */
  readonly raw: unknown;
  /** Only for a transaction that the product sent. */
  readonly outgoing?: OutgoingCall;
  /** Only for a transaction that delegates stake, or takes it back. */
  readonly delegated?: DelegatedStake;
  /** Only where addresses authorise a sweeper, or a sweeper is deployed. */
  readonly delegating?: Delegating;
  /** Only for a transaction of a stranger who sweeps an address of ours. */
  readonly stranger?: StrangerSweep;
}

/** A value transfer that really happened, with its place inside its transaction. */
export interface SimTransfer {
  readonly txId: string;
  readonly position: string;
  readonly from: string;
  readonly to: string;
  readonly currencyId: number;
  readonly units: bigint;
}

export interface SimBlock {
  readonly header: BlockHeader;
  readonly parent: SimBlock | null;
  readonly transactions: readonly SentTransaction[];
  readonly transfers: readonly SimTransfer[];
  /** The fees that senders of ours paid in this block. */
  readonly fees: readonly Fee[];
  /** The block as a node answers it, in its family's own words. */
  readonly raw: unknown;
  /** The step of the run at which it was mined. */
  readonly step: number;
}

/** What a family does differently: how transactions get their ids, and blocks their hashes. */
export interface ChainRules {
  /** Whether its providers are read by a rule of the simulator's own instead of by production's adapter. */
  readonly isPlain: boolean;
  /**
   * The offered transactions that a block can hold, as they are executed in it. Without this rule a block holds all
   * of them.
   */
  admit?(
    parent: SimBlock | null,
    offered: readonly SentTransaction[],
    time: number,
  ): readonly SentTransaction[];
  /** Whether no block above `tip` can hold the transaction. */
  isDead?(tip: SimBlock, transaction: SentTransaction): boolean;
  /** Makes a transaction of value transfers. `salt` makes two of the same content differ. */
  transaction(valueTransfers: readonly ValueTransfer[], failed: boolean, salt: number): SentTransaction;
  /**
   * The same transaction, executed behind another one. Its id stays, and it moves what `valueTransfers` say, or
   * fails. Null where the family's id fixes what a transaction moves.
   */
  executed(
    transaction: SentTransaction,
    valueTransfers: readonly ValueTransfer[],
    failed: boolean,
  ): SentTransaction | null;
  /** The transfers that a transaction makes in a block, in the order of the chain. */
  transfersOf(transaction: SentTransaction): readonly SimTransfer[];
  block(
    parent: SimBlock | null,
    transactions: readonly SentTransaction[],
    time: number,
    salt: number,
  ): Sealed;
}

/** The part of a block that depends on its family. */
export interface Sealed {
  readonly header: BlockHeader;
  readonly raw: unknown;
}

/** The ancestor of a block, or itself, at a height; null above it. */
export function ancestorAt(tip: SimBlock, number: number): SimBlock | null {
  if (number > tip.header.number || number < 0) return null;
  let block: SimBlock | null = tip;
  while (block !== null && block.header.number > number) block = block.parent;
  return block;
}

/**
 * What an address received less what it sent and paid in fees, up to and including a block. May be negative, because
 * no payer is funded.
 */
export function balanceAt(tip: SimBlock, address: string, currencyId: number): bigint {
  let units = 0n;
  for (let block: SimBlock | null = tip; block !== null; block = block.parent) {
    for (const transfer of block.transfers) {
      if (transfer.currencyId !== currencyId) continue;
      if (transfer.to === address) units += transfer.units;
      if (transfer.from === address) units -= transfer.units;
    }
    for (const fee of block.fees) {
      if (fee.currencyId === currencyId && fee.from === address) units -= fee.units;
    }
  }
  return units;
}
