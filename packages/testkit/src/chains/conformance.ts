// Everything that can look like a payment, for the readers of every family.

/** A transfer as far as it can be known before it is mined. */
export interface Expected {
  readonly currencyId: number;
  readonly to: string;
  readonly units: bigint;
  readonly position: string;
}

/** What a driver staged on its chain: the block, the addresses to read, and the transfers that they must have received. */
export interface Staged {
  readonly block: number;
  readonly recipients: readonly string[];
  readonly expected: readonly Expected[];
  /** Base units of the native currency that each recipient holds although no block shows a transfer of them. */
  readonly absent?: bigint;
}

/** The names of all scenarios. */
export const scenarios = [
  'a native payment',
  'a token payment',
  'a zero-value transfer',
  'dust of one unit',
  'one unit behind three hundred zero-value transfers',
  'a token that takes a fee',
  'two transfers in one transaction',
  'five recipients in one transaction',
  'a transfer to oneself',
  'a twin token with other decimals',
  'a failed transaction with perfect calldata',
  'an event forged by another contract',
  'a token that returns false and moves nothing',
  'ERC-721 topics from a watched contract',
  'odd data from a watched contract',
  'dirty address topics from a watched contract',
  'the largest amount',
  'value inside a contract call',
  'value shown by a delegatecall',
  'value shown by a callcode',
  'a call that pays below a reverted call',
  'a call that pays and is reverted',
  'a call that pays beside a reverted call',
  'a selfdestruct that sends',
  'a creation that is endowed',
  'a creation by the transaction itself',
  'a payment to contract code that fails',
  'value sent on by an account that borrows code',
] as const;

export type Scenario = (typeof scenarios)[number];
