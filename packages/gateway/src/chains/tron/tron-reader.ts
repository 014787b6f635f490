// One provider of a Tron chain: blocks are shown from the head, and are final by the solidified view of the same node.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { Outage } from '../../runtime/outage.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { BalanceReport, BlockQuery, BlockReference, ChainBlock } from '../port/reader.ts';
import { checkCurrency } from './balances/check-currency.ts';
import { readTronBalances } from './balances/tron-balances.ts';
import type { TronChain } from './block/decode-block.ts';
import { headerAt, headOf } from './block/header.ts';
import { createProvenBodies } from './block/proven-bodies.ts';
import { readBlock } from './block/read-block.ts';
import { connectTron, type TronConnection, type TronOptions, type View } from './connect.ts';

/**
 * One reader for each provider. Connects to nothing yet. Throws Outage, not retryable, where an address is missing or is no
 * URL.
 */
export function createTronReaders(options: TronOptions): readonly ProviderReader[] {
  const { definition } = options;
  const nativeId = nativeCurrency(definition).currencyId;
  const chain = { name: definition.name, nativeId, bodies: createProvenBodies() };
  return connectTron(options).map((connection) => new TronReader(definition, chain, connection));
}

class TronReader implements ProviderReader {
  readonly provider: string;
  readonly hasPastBalances = false;
  readonly #definition: ChainDefinition;
  readonly #chain: TronChain;
  readonly #full: View;
  readonly #solid: View;
  /** The solidified head that was reported last; -1 while the solid view does not report it. */
  #solidHead = -1;

  constructor(definition: ChainDefinition, chain: TronChain, { name, full, solid }: TronConnection) {
    this.provider = name;
    this.#definition = definition;
    this.#chain = chain;
    this.#full = full;
    this.#solid = solid;
  }

  head(): Promise<number> {
    return this.#full.proven(headOf);
  }

  async finalHeight(): Promise<number> {
    // Where the solid view is away, blocks are read from the head.
    this.#solidHead = -1;
    this.#solidHead = await this.#solid.proven(headOf);
    return this.#solidHead;
  }

  /**
   * The full view shows headers, also for the vote on a final block. Only heights that this provider calls final are voted
   * on, and at those heights no node changes its branch any more. A hash of another branch would be outvoted, as any other
   * wrong report is.
   */
  header(number: number): Promise<BlockHeader | null> {
    return this.#header(number);
  }

  headerByHash(hash: string): Promise<BlockHeader | null> {
    return this.#header(hash);
  }

  block(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    // A block that cannot change any more is read from the solid view, so that an undone block is read again in its final
    // form.
    return this.#read(number > this.#solidHead ? this.#full : this.#solid, number, query);
  }

  finalBlock(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return this.#read(this.#solid, number, query);
  }

  async balances(
    addresses: readonly string[],
    currency: Currency,
    at: BlockReference,
  ): Promise<BalanceReport> {
    const report = await this.#solid.proven((api) => readTronBalances(api, addresses, currency, at));
    return { provider: this.provider, ...report };
  }

  /** Internal transactions that a node knows are in its receipts, and are proposed when the block is read. */
  internalTransfers(): Promise<readonly Transfer[]> {
    return Promise.reject(new Outage('traces no transactions', { kind: 'unsupported' }));
  }

  checkCurrency(currency: Currency): Promise<string | null> {
    return this.#full.proven((api) => checkCurrency(api, currency));
  }

  gaps(): readonly string[] {
    if (this.#definition.genesisHash !== null) return [];
    return ['No genesis_hash is stated, so only the chain id distinguishes this chain from another one.'];
  }

  #header(name: number | string): Promise<BlockHeader | null> {
    return this.#full.proven(async (api) => (await headerAt(api, name))?.header ?? null);
  }

  #read(view: View, number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return view.proven((api) => readBlock(api, this.#chain, number, query));
  }
}
