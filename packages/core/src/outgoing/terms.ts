// What a transaction offers for its way into a block, by family. Prices are base units of the native currency.

/** Of EIP-1559, or of a chain without it: then both prices are the gas price. */
export interface OfferedTerms {
  readonly family: 'evm';
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Whether the chain has no base fee, so that an older kind of transaction is signed. */
  readonly isLegacy: boolean;
}

export interface EvmTerms extends OfferedTerms {
  /** What a unit of gas cost when the terms were made. */
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
