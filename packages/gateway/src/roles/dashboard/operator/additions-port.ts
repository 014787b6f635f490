// Checking and keeping chains and tokens that an operator adds, as the composition root does it.
import type { RequestOf } from '@ducat/contract/dashboard/registry';

export type ChainWish = Omit<RequestOf<'chains.check'>, 'is_change'>;
/** As the chain was added, without its nodes. */
export type ChainTerms = Omit<ChainWish, 'name' | 'node_urls'>;
export type TokenWish = RequestOf<'currencies.check-token'>;

export interface CheckedProvider {
  /** Without what may hold a key. */
  readonly host: string;
  /** Why it cannot be used; null where it can. */
  readonly trouble: string | null;
  readonly head: number | null;
  readonly final: number | null;
}

export interface CheckedChain {
  readonly coinId: number;
  readonly coinSymbol: string;
  readonly coinDecimals: number;
  /** Measured between its newest blocks; null where too few providers answered. */
  readonly blockMs: number | null;
  readonly genesisHash: string | null;
  readonly providers: readonly CheckedProvider[];
  /** What may not be meant. */
  readonly warnings: readonly string[];
  /** Why it cannot be added; null where it can. */
  readonly trouble: string | null;
  /** For the database; null where there is trouble. */
  readonly sealed: Buffer | null;
}

export interface CheckedToken {
  readonly currencyId: number;
  /** In the canonical form of its chain; null where it is no address there. */
  readonly contract: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly warnings: readonly string[];
  /** Why it cannot be added; null where it can. */
  readonly trouble: string | null;
  /** For the database, under the name that was given; null where none was given, or there is trouble. */
  readonly sealed: Buffer | null;
}

/** What the operator says of a token. */
export interface TokenName {
  readonly symbol: string;
  readonly rateAsset: string | null;
}

interface LeftOutReason {
  readonly reason: string;
  /** The file has it, and wins as it is meant to. */
  readonly isInFile: boolean;
}

/** What was added, as it stands in the database. */
export interface Listed {
  /** The chain, or for a token the chain and its number. */
  readonly name: string;
  /** As lines for the configuration file; the addresses of nodes show their hosts alone. */
  readonly section: string;
  readonly chain: string;
  readonly currencyId: number | null;
  /** The name of a person. */
  readonly addedBy: string;
  readonly addedAtMs: number;
  /** Whether this process began with it. */
  readonly isInForce: boolean;
  /** Null for a token, and where the row is damaged. */
  readonly chainTerms: ChainTerms | null;
  readonly tokenTerms: TokenName | null;
  /** It goes with the next start. */
  readonly isRemoved: boolean;
  /** Null where the next start takes it. */
  readonly leftOut: LeftOutReason | null;
}

/** A chain that Ducat knows by these alone. */
export interface PinnedChain {
  readonly name: string;
  readonly network: string;
  readonly coinSymbol: string;
  /** Of its thousand of currency numbers, which is its coin's. */
  readonly firstNumber: number;
  /** The file has a section of it, which is off. */
  readonly isInFile: boolean;
}

export interface ChainAdditions {
  /** With `isChange` what was added under this name is not in its own way. */
  checkChain(wish: ChainWish, isChange: boolean): Promise<CheckedChain>;
  /** `changed` is the number of the token that is to be called so; null for a new one. */
  checkToken(wish: TokenWish, name: TokenName | null, changed: number | null): Promise<CheckedToken>;
  list(): Promise<readonly Listed[]>;
  /** Known chains that the file does not have on, and of which more than name, network, coin and numbers has to be stated. */
  readonly pinned: readonly PinnedChain[];
  /** What sources of rates know a price of. */
  readonly rateAssets: readonly string[];
}
