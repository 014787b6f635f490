// What a chain family implements: one provider read on its own. It knows no other provider, no quorum and no health.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { BalanceReport, BlockQuery, BlockReference, ChainBlock } from './reader.ts';

/**
 * Every method throws `Outage`: 'invalid' where the answer contradicts itself, the request or the chain's identity,
 * 'throttled' where the provider asks for a lower rate, 'unsupported' where it never can, else 'unavailable'.
 * Identity (chain id, genesis) is proven before the first answer is used and after each time it failed.
 */
export interface ProviderReader {
  /** Its name for logs and metrics; never its URL, which may carry a key. */
  readonly provider: string;
  head(): Promise<number>;
  /** Height of the newest block that the provider itself calls final; null while there is none. */
  finalHeight(): Promise<number | null>;
  /** Null where the provider has none at this height: its head is lower, or it dropped old blocks. */
  header(number: number): Promise<BlockHeader | null>;
  /** Null where the provider does not have it. */
  headerByHash(hash: string): Promise<BlockHeader | null>;
  /** Null as for a header. Everything that the block can prove of itself is proven. */
  block(number: number, query: BlockQuery): Promise<ChainBlock | null>;
  /** The same from the view that cannot change any more; null where that view ends below the number. */
  finalBlock(number: number, query: BlockQuery): Promise<ChainBlock | null>;
  /** At the block itself where the family has past states, else at a later final one, whose height the report names. */
  balances(addresses: readonly string[], currency: Currency, at: BlockReference): Promise<BalanceReport>;
  readonly hasPastBalances: boolean;
  /** Throws Outage 'unsupported' where this provider cannot trace. */
  internalTransfers(block: BlockReference, addresses: readonly string[]): Promise<readonly Transfer[]>;
  /** Why contract or decimals of a currency are not what the catalogue says; null where they are. */
  checkCurrency(currency: Currency): Promise<string | null>;
  /** What this provider cannot show, in words for the operator. */
  gaps(): readonly string[];
}
