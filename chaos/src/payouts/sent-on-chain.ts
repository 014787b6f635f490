// Transactions and transfers that left our addresses on one chain, as the reader found them there.

/** A transaction that one of our addresses signed, whatever became of it. */
export interface SentTransaction {
  readonly chain: string;
  readonly hash: string;
  readonly succeeded: boolean;
}

/** Value that really moved. */
export interface SentTransfer {
  readonly chain: string;
  readonly hash: string;
  readonly to: string;
  readonly currencyId: number;
  readonly units: bigint;
}

export interface SentOnChain {
  readonly transactions: readonly SentTransaction[];
  readonly transfers: readonly SentTransfer[];
}
