// The port that checks and lists the chains and tokens that operators add; the composition root implements it.
import type { RequestOf } from '@ducat/contract/dashboard/registry';

export type ChainWish = Omit<RequestOf<'chains.check'>, 'is_change'>;
/** The settings with which a chain was added, without its nodes. */
export type ChainTerms = Omit<ChainWish, 'name' | 'node_urls'>;
export type TokenWish = RequestOf<'currencies.check-token'>;

export interface CheckedProvider {
  /** The host alone, because the rest of the URL may hold a key. */
  readonly host: string;
  /** Why the provider cannot be used; null where it can. */
  readonly trouble: string | null;
  readonly head: number | null;
  readonly final: number | null;
}

export interface CheckedChain {
  readonly coinId: number;
  readonly coinSymbol: string;
  readonly coinDecimals: number;
  /** The time between blocks, measured over the newest ones; null where too few providers answered. */
  readonly blockMs: number | null;
  readonly genesisHash: string | null;
  readonly providers: readonly CheckedProvider[];
  /** Settings that may be a mistake; they do not prevent the addition. */
  readonly warnings: readonly string[];
  /** Why it cannot be added; null where it can. */
  readonly trouble: string | null;
  /** The sealed chain for the database; null where there is trouble. */
  readonly sealed: Buffer | null;
}

export interface CheckedToken {
  readonly currencyId: number;
  /** In the canonical form of its chain; null where the text is no address there. */
  readonly contract: string | null;
  readonly symbol: string | null;
  readonly decimals: number | null;
  readonly warnings: readonly string[];
  /** Why it cannot be added; null where it can. */
  readonly trouble: string | null;
  /** The sealed token for the database, under the given name; null where no name was given, or there is trouble. */
  readonly sealed: Buffer | null;
}

/** The symbol and the rate asset that the operator gives a token. */
export interface TokenName {
  readonly symbol: string;
  readonly rateAsset: string | null;
}

interface LeftOutReason {
  readonly reason: string;
  /** Whether it is left out because the file has it too, which takes precedence as intended. */
  readonly isInFile: boolean;
}

/** An added chain or token, as it is stored in the database. */
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
  /** Whether it was removed; it stays in force until the next start. */
  readonly isRemoved: boolean;
  /** Why the next start will leave it out; null where it will load it. */
  readonly leftOut: LeftOutReason | null;
}

/** A known chain of which Ducat pins these facts alone. */
export interface PinnedChain {
  readonly name: string;
  readonly network: string;
  readonly coinSymbol: string;
  /** The first of the chain's thousand currency numbers; it is the number of its coin. */
  readonly firstNumber: number;
  /** Whether the file has a section of the chain, which is off. */
  readonly isInFile: boolean;
}

export interface ChainAdditions {
  /** With `isChange` the chain that was added under this name is no conflict. */
  checkChain(wish: ChainWish, isChange: boolean): Promise<CheckedChain>;
  /** `changed` is the number of the token that gets this name; null for a new token. */
  checkToken(wish: TokenWish, name: TokenName | null, changed: number | null): Promise<CheckedToken>;
  list(): Promise<readonly Listed[]>;
  /**
   * Known chains that the file does not have on. An operator has to state more about them than name, network, coin and
   * numbers.
   */
  readonly pinned: readonly PinnedChain[];
  /** The rate assets of which the sources of rates know a price. */
  readonly rateAssets: readonly string[];
}
