// One provider of a Tron chain: shown from the head, and final by the solidified view of the same node.
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
import { ProvenBodies } from './block/proven-bodies.ts';
import { readBlock } from './block/read-block.ts';
import { connectTron, type TronConnection, type TronOptions, type View } from './connect.ts';

/** One reader for each provider. Connects to nothing yet. Throws Outage, not retryable, where an address is missing or no URL. */
export function createTronReaders(options: TronOptions): readonly ProviderReader[] {
  const { definition } = options;
  const nativeId = nativeCurrency(definition).currencyId;
  const chain = { name: definition.name, nativeId, bodies: new ProvenBodies() };
  return connectTron(options).map((connection) => new TronReader(definition, chain, connection));
}

class TronReader implements ProviderReader {
  readonly provider: string;
  readonly hasPastBalances = false;
  readonly #definition: ChainDefinition;
  readonly #chain: TronChain;
  readonly #full: View;
  readonly #solid: View;
  /** As it was reported last; -1 while it is not known. */
  #solidHead = -1;
  #showsInternal = false;

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
    this.#solidHead = await this.#solid.proven(headOf);
    return this.#solidHead;
  }

  header(number: number): Promise<BlockHeader | null> {
    return this.#fromBest(number, (view) =>
      view.proven(async (api) => (await headerAt(api, number))?.header ?? null),
    );
  }

  headerByHash(hash: string): Promise<BlockHeader | null> {
    return this.#full.proven(async (api) => (await headerAt(api, hash))?.header ?? null);
  }

  block(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return this.#fromBest(number, (view) => this.#read(view, number, query));
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

  /** What a node knows of them stands in its receipts, and is proposed when the block is read. */
  internalTransfers(): Promise<readonly Transfer[]> {
    return Promise.reject(new Outage('traces no transactions', { kind: 'unsupported' }));
  }

  checkCurrency(currency: Currency): Promise<string | null> {
    return this.#full.proven((api) => checkCurrency(api, currency));
  }

  gaps(): readonly string[] {
    const gaps: string[] = [];
    const consequence = 'TRX that contracts send is found by its balance alone, without its transaction';
    if (!this.#showsInternal)
      gaps.push(`No internal transaction was shown yet: without vm.saveInternalTx, ${consequence}.`);
    if (this.#definition.genesisHash === null)
      gaps.push('No genesis_hash is stated, so only the chain id distinguishes this chain from others.');
    return gaps;
  }

  async #read(view: View, number: number, query: BlockQuery): Promise<ChainBlock | null> {
    const block = await view.proven((api) => readBlock(api, this.#chain, number, query));
    if (block === null) return null;
    if (block.proposals.length > 0) this.#showsInternal = true;
    // What could not be printed for a moment may be shown at the next reading.
    const isPrinted = block.undecoded.every(({ reason }) => reason !== 'unprintable-block');
    return { ...block, isFinalView: view.isFinal && isPrinted };
  }

  /** From what cannot change any more where it is known to be there; that view may be away, and is no condition. */
  async #fromBest<T>(number: number, read: (view: View) => Promise<T | null>): Promise<T | null> {
    if (number > this.#solidHead) return read(this.#full);
    try {
      const found = await read(this.#solid);
      if (found !== null) return found;
    } catch (error) {
      if (!(error instanceof Outage) || error.kind !== 'unavailable') throw error;
    }
    this.#solidHead = -1;
    return read(this.#full);
  }
}
