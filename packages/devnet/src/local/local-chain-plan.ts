// Which chains `npm start` runs, and which test tokens live on them.

/** A test token. On EVM chains its place in the list decides its address. */
export interface PlannedToken {
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  /** What it does like the real one; a well-behaved token unless said. */
  readonly contract?: 'testToken' | 'noReturnToken' | 'feeToken';
}

/** A test token of Tron, which stands where the real one does. */
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
  /** Those that a start gets unless it names others. */
  readonly tokens: readonly PlannedToken[];
}

/** Whole tokens that a payer is given; one with less than the thousandth part gets as many again. */
export const PAYER_SUPPLY = 1_000_000_000_000n;

/**
 * The chain ids belong to no public chain, so that no signed transaction of a local chain is worth anything
 * elsewhere. The decimals differ between chains as they do in the world. New tokens go to the end
 * of a list: running chains keep their addresses.
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

/** Tron's own numbers but for the pace: money is final under 19 blocks, which takes 19 seconds instead of 57. */
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
