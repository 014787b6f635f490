// The chains that `npm start` runs, and their test tokens.

/** A test token. On EVM chains its place in the list decides its address. */
export interface PlannedToken {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** The behaviour that it copies from the real token; a normal token unless given. */
  readonly contract?: 'testToken' | 'noReturnToken' | 'feeToken';
}

/** A test token of Tron, at the address of the real one. */
export interface PlannedTronToken {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** In base58check. */
  readonly address: string;
  /** `usdt` answers false on success and costs what the real one costs. */
  readonly like: 'standard' | 'usdt';
}

/** One local chain. `finalized` lies 2 x `slotsInEpoch` blocks behind the head. */
export interface PlannedChain {
  readonly name: 'ETH' | 'BSC' | 'WKC';
  readonly chainId: number;
  readonly blockTimeMs: number;
  readonly slotsInEpoch: number;
  /** The tokens of the chain, unless a start names others. */
  readonly tokens: readonly PlannedToken[];
}

/** How many whole tokens a payer is given. A payer with less than a thousandth of that gets as many again. */
export const PAYER_SUPPLY = 1_000_000_000_000n;

/**
 * The chain ids belong to no public chain, so that a signed transaction of a local chain is worth nothing elsewhere.
 * The decimals differ between chains as on the public ones. New tokens go to the end of a list, so that the tokens of
 * running chains keep their addresses.
 */
export const localChainPlan: readonly PlannedChain[] = [
  {
    name: 'ETH',
    chainId: 900_001,
    blockTimeMs: 2_000,
    slotsInEpoch: 2,
    tokens: [
      { symbol: 'USDT', name: 'Test Tether USD', decimals: 6 },
      { symbol: 'USDC', name: 'Test USD Coin', decimals: 6 },
    ],
  },
  {
    name: 'BSC',
    chainId: 900_002,
    blockTimeMs: 1_000,
    slotsInEpoch: 2,
    tokens: [
      { symbol: 'USDT', name: 'Test Tether USD', decimals: 18 },
      { symbol: 'USDC', name: 'Test USD Coin', decimals: 18 },
    ],
  },
  {
    name: 'WKC',
    chainId: 900_004,
    blockTimeMs: 1_000,
    slotsInEpoch: 2,
    tokens: [{ symbol: 'USDT', name: 'Test Tether USD', decimals: 6 }],
  },
];

/**
 * Tron's own numbers except for the pace: a block is final under 19 further blocks, which take 19 seconds instead of
 * 57.
 */
export const localTronPlan: {
  readonly name: 'Tron';
  readonly blockTimeMs: number;
  readonly confirmations: number;
  readonly tokens: readonly PlannedTronToken[];
} = {
  name: 'Tron',
  blockTimeMs: 1_000,
  confirmations: 19,
  tokens: [
    {
      symbol: 'USDT',
      name: 'Test Tether USD',
      decimals: 6,
      address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
      like: 'usdt',
    },
  ],
};
