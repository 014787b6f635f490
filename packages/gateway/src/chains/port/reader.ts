// What roles may ask of a chain: data in and data out, agreed by a quorum where money depends on it.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';

/** A block that is known by number and hash. */
export interface BlockReference {
  readonly number: number;
  readonly hash: string;
}

/** What is looked for in a block. */
export interface BlockQuery {
  readonly currencies: readonly Currency[];
  /** Transactions whose inclusion is reported, by id as the family writes it. */
  readonly txIds: ReadonlySet<string>;
}

/** A block as one provider reports it, in the order of the chain. */
export interface ChainBlock {
  readonly header: BlockHeader;
  /** Executed, non-zero transfers of the currencies asked for. The reader does not know which addresses are ours. */
  readonly transfers: readonly Transfer[];
  /** Internal transactions that the provider reports. Only the recipient's native balance can confirm them. */
  readonly proposals: readonly Transfer[];
  readonly inclusions: readonly Inclusion[];
  /** Whether transfers and inclusions follow from the hash of the header. If not, a quorum compares them at finality. */
  readonly isProven: boolean;
}

/** Balances in the order of the addresses, as they were after the block at height `at`. */
export interface BalanceReport {
  readonly provider: string;
  readonly at: number;
  readonly amounts: readonly Amount[];
}

/** What one provider of a chain is like, for metrics and readiness. */
export interface ProviderHealth {
  readonly provider: string;
  readonly circuit: 'closed' | 'open' | 'half-open';
  /** Why the circuit opened last; null while it is closed. */
  readonly reason: string | null;
  /** How often the quorum reported something else than this provider, since the start. */
  readonly disagreements: number;
  /** The head that it reported last; null before its first report. */
  readonly head: number | null;
}

export interface CurrencyMismatch {
  readonly currencyId: number;
  readonly reason: string;
}

/** Reduces a block to what concerns our own addresses and transactions. */
export type SelectOurs = (block: ChainBlock) => Promise<ChainBlock>;

/** Every method throws `Outage` where no provider gives an answer that can be used. */
export interface ChainReader {
  readonly definition: ChainDefinition;
  /** How many providers have to report the same before money depends on it. */
  readonly quorum: number;
  /** The highest block that a quorum of the answering providers has reached. It says how far to read, and proves nothing. */
  head(): Promise<number>;
  /** The header at a height as one provider has it; null where none has come as far. */
  header(number: number): Promise<BlockHeader | null>;
  /** The header with this hash, as most providers that have it report it; null where none has it. */
  headerByHash(hash: string): Promise<BlockHeader | null>;
  /** A block as one provider reports it: seen, not final. Null where none has come as far. */
  block(number: number, query: BlockQuery): Promise<ChainBlock | null>;
  /**
   * The highest block at or below `atMost` that a quorum calls final, with the hash on which it agrees; null while there
   * is none. Throws Outage 'disagreement' where there is no quorum for one hash.
   */
  finalBlock(atMost: number): Promise<BlockReference | null>;
  /**
   * What a quorum reports of a final block that does not prove itself, reduced by `selectOurs`.
   * Throws Outage 'disagreement' with what each provider reports, 'not-yet' where it is not final at a quorum yet.
   */
  finalContents(number: number, query: BlockQuery, selectOurs: SelectOurs): Promise<ChainBlock>;
  /**
   * Balances after the block `at`, or after a later final one where the family cannot look back, from `count` different
   * providers. Throws Outage 'unsupported' where the currency cannot be asked for, or the state is gone.
   */
  balances(
    addresses: readonly string[],
    currency: Currency,
    at: BlockReference,
    count: number,
  ): Promise<readonly BalanceReport[]>;
  /**
   * Native transfers inside a block's transactions to these addresses, by one provider's trace; null where none can trace.
   */
  internalTransfers(block: BlockReference, addresses: readonly string[]): Promise<readonly Transfer[] | null>;
  /** Whether balances at past blocks can be asked for (EVM), or only those at the newest final block (Tron). */
  readonly hasPastBalances: boolean;
  /**
   * Reports that a served block cannot be on the chain, or was undone: its provider is read last for a while. Call it for
   * every undone block, also in an ordinary reorg. Otherwise a provider that serves a wrong block N, and no block above it,
   * would have N undone and be asked for N again for ever.
   */
  reject(block: BlockReference, reason: string): void;
  /** Compares each token's contract and decimals with the chain; the ones that do not match. */
  checkCurrencies(currencies: readonly Currency[]): Promise<readonly CurrencyMismatch[]>;
  /** What this chain's providers cannot show, in words for the operator; empty when nothing is missing. */
  gaps(): readonly string[];
  providers(): readonly ProviderHealth[];
}
