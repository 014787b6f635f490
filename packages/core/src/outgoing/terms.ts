// The fees that a transaction offers, by family. Prices are base units of the native currency.

/** Prices of EIP-1559. On a chain without EIP-1559 both are the gas price. */
export interface OfferedTerms {
  readonly family: 'evm';
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Whether the chain has no base fee, so that an older kind of transaction is signed. */
  readonly isLegacy: boolean;
}

export interface EvmTerms extends OfferedTerms {
  /** What one unit of gas cost in a block when the terms were made. */
  readonly priceThen: bigint;
}

export interface TronTerms {
  readonly family: 'tron';
  /** Caps all energy, staked or burnt; 0 where no contract runs. */
  readonly feeLimit: bigint;
}

export type SendingTerms = EvmTerms | TronTerms;

/** The most that a transaction on these terms can cost, in base units; for Tron its energy alone. */
export function mostUnits(terms: SendingTerms): bigint {
  return terms.family === 'evm' ? terms.gasLimit * terms.maxFeePerGas : terms.feeLimit;
}
