// What a transaction offers for its way into a block, by family. Prices are base units of the native currency.

/** Of EIP-1559, or of a chain without it: then both prices are the gas price. */
export interface EvmTerms {
  readonly family: 'evm';
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  /** Whether the chain has no base fee, so that an older kind of transaction is signed. */
  readonly isLegacy: boolean;
}

export interface TronTerms {
  readonly family: 'tron';
  /** Caps all energy, staked or burnt; 0 where no contract runs. */
  readonly feeLimit: bigint;
}

export type SendingTerms = EvmTerms | TronTerms;

/** How much higher both prices of a replacement must be, in parts per million: the strictest node asks for 12.5 %. */
const REPLACEMENT_PPM = 1_125_000n;

/** The least terms with which nodes let these be replaced. */
export function leastReplacement(terms: EvmTerms): EvmTerms {
  return {
    ...terms,
    maxFeePerGas: raised(terms.maxFeePerGas),
    maxPriorityFeePerGas: raised(terms.maxPriorityFeePerGas),
  };
}

/** Rounded up, and by one unit at least. */
function raised(price: bigint): bigint {
  const higher = (price * REPLACEMENT_PPM + 999_999n) / 1_000_000n;
  return higher > price ? higher : price + 1n;
}

/** The most that a transaction on these terms can cost, in base units; for Tron its energy alone. */
export function mostUnits(terms: SendingTerms): bigint {
  return terms.family === 'evm' ? terms.gasLimit * terms.maxFeePerGas : terms.feeLimit;
}
