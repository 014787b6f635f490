// The port of a chain as it was before the quorum: what the watcher and maintenance may ask, data in and data out, no callback.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';

/** A block with every movement of a watched currency in it, in the order of the chain. */
export interface ChainBlock {
  readonly header: BlockHeader;
  /** Executed, non-zero movements only; whose addresses they are is not the adapter's business. */
  readonly transfers: readonly Transfer[];
  /**
   * Transactions of which it is not known what they moved; nothing is counted of what is unclear. Money may have
   * moved there unseen, which only the balance check shows. Normally empty.
   */
  readonly untraced: readonly Untraced[];
}

export interface Untraced {
  /** Null where it is not even known which transactions there are. */
  readonly txId: string | null;
  readonly reason: UntracedReason;
}

/** Why it is not known what a transaction moved, as logs and metrics name it. */
export type UntracedReason =
  /** No two endpoints (one, where one is configured) could show what moved inside it: too much to trace. */
  | 'too-much-to-trace'
  /** Its bytes can be read in more ways than one. */
  | 'unclear-bytes'
  /** It does not have exactly one contract. */
  | 'contract-count'
  /** Its contract is of a type that is not known here. */
  | 'unknown-contract'
  /** Its contract is said to be of two types. */
  | 'type-url'
  /** It moves less than nothing, or between no addresses. */
  | 'impossible-value'
  /** Its receipt is not shown, or does not say what its block says of it, or not whose its logs are. */
  | 'unclear-receipt'
  /** What contracts sent in it is told as no node tells it. */
  | 'unclear-inner'
  /** Its block does not tell how it ended. */
  | 'no-result'
  /** Its block tells a result that is not known here. */
  | 'unknown-result'
  /** Its block cannot be proven to hold it as it is told. */
  | 'unproven'
  /** No two endpoints could print its block, of which the header is proven. */
  | 'unprintable-block'
  /** Its block is too large to be read, the same way. */
  | 'oversized-block'
  /** Its block is not proven, and no two endpoints could show its receipts. */
  | 'unshown-receipts';

/** What is wrong where nobody confirms a block: it cannot be by the books, or it is only not known to be of the chain. */
export type DoubtKind = 'repeated-transfer' | 'disagreement';

/** A block that is known by number and hash. */
export interface BlockReference {
  readonly number: number;
  readonly hash: string;
}

/** What one RPC endpoint of a chain is like, for metrics and readiness. */
export interface EndpointHealth {
  readonly endpoint: string;
  readonly healthy: boolean;
  readonly lastError: string | null;
}

/**
 * Every method throws `Outage` when no endpoint gives a believable answer; none ever answers "nothing"
 * because it could not know.
 */
export interface ChainPort {
  readonly definition: ChainDefinition;
  /**
   * Height of the newest block as it is told now; lower than before where the endpoint says so. With `isBeginning` one
   * that two endpoints tell about alike where two are configured, else Outage: where a chain begins is never mended.
   */
  head(isBeginning?: boolean): Promise<number>;
  /**
   * The highest block at or below `atMost` that the chain itself calls final, with a hash on which two
   * endpoints agree where two are configured; null while there is none. Where the definition says that the
   * node has no finality of its own, that is the block at `atMost`.
   */
  finalBlock(atMost: number): Promise<BlockReference | null>;
  /**
   * Headers by number, lowest first, for finding the common ancestor of a fork. A number that the endpoint has
   * no block of is left out, so an absent number never means that there is another block.
   */
  headers(from: number, to: number): Promise<readonly BlockHeader[]>;
  /**
   * The header with this hash, wherever one endpoint has it; null where none does. Following parents by hash stays on
   * one branch, whatever branch an endpoint would answer a number from.
   */
  headerOf(hash: string): Promise<BlockHeader | null>;
  /**
   * A block, fully cross-checked; null only where the endpoints that are needed tell a head below that number.
   * Where two endpoints are configured, value that moves inside its transactions is what two of them agree on.
   */
  readBlock(number: number, watched: readonly Currency[]): Promise<ChainBlock | null>;
  /**
   * For a block that the books say cannot be. Returns where two endpoints have that very block at its height (one,
   * where one is configured); else the endpoint that told of it rests with the reason, and Outage names it. `doubt`
   * goes on after "a block that". Of a block that may be right, a `disagreement`, it rests only where two others
   * have one and the same in its place.
   */
  confirmBlock(block: BlockReference, doubt: string, kind?: DoubtKind): Promise<void>;
  /**
   * Null where a block proves all that is in it. Else reads a block that the chain itself calls final once more,
   * from where it cannot change: what was told of it before counts only where this says the same. Throws Outage
   * where it is not final there yet.
   */
  readonly readFinal: ((number: number, watched: readonly Currency[]) => Promise<ChainBlock>) | null;
  /**
   * Balances of addresses in one currency at a block, in the order asked. For reconciliation. The `Outage` is not
   * retryable where the currency itself cannot be asked there, such as a token that is younger than the block;
   * that says nothing about the endpoints or about other currencies.
   */
  balances(addresses: readonly string[], currency: Currency, at: BlockReference): Promise<readonly Amount[]>;
  /** Compares each token's contract and decimals with the chain; the ones that do not match, with the reason. */
  checkCurrencies(currencies: readonly Currency[]): Promise<readonly CurrencyMismatch[]>;
  /** What this chain's nodes cannot show, in words for the operator; empty when nothing is missing. */
  gaps(): readonly string[];
  health(): readonly EndpointHealth[];
}

export interface CurrencyMismatch {
  readonly currencyId: number;
  readonly reason: string;
}

export type { AddressScheme } from './port/address-scheme.ts';
