// What a chain family implements: one provider read on its own. It knows no other provider, no quorum and no health.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import type { BalanceReport, BlockQuery, BlockReference, ChainBlock } from './reader.ts';

/**
 * Every method throws `Outage`: 'invalid' where the answer contradicts itself, the request or the chain's identity,
 * 'throttled' where the provider asks for a lower rate, 'unsupported' where the provider can never answer, else
 * 'unavailable'. The chain's identity (chain id, genesis) is proven before the first answer is used, and again after each
 * failure.
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
  /** Null as for a header. All that the block can prove of itself has been proven. */
  block(number: number, query: BlockQuery): Promise<ChainBlock | null>;
  /** The block from the provider's final view, which cannot change any more; null where that view ends below the number. */
  finalBlock(number: number, query: BlockQuery): Promise<ChainBlock | null>;
  /**
   * After the block itself where the family has past states, else after a later final block, whose height the report names.
   */
  balances(addresses: readonly string[], currency: Currency, at: BlockReference): Promise<BalanceReport>;
  readonly hasPastBalances: boolean;
  /** Throws Outage 'unsupported' where this provider cannot trace. */
  internalTransfers(block: BlockReference, addresses: readonly string[]): Promise<readonly Transfer[]>;
  /** Why a currency's contract or decimals differ from the catalogue; null where they do not. */
  checkCurrency(currency: Currency): Promise<string | null>;
  /** What this provider cannot show, in words for the operator. */
  gaps(): readonly string[];
}
