// One provider of a Tron chain: shown from the head, and final by the solidified view of the same node.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { Outage } from '../../runtime/outage.ts';
import type { ProviderReader } from '../port/provider-reader.ts';
import type { BalanceReport, BlockQuery, BlockReference, ChainBlock } from '../port/reader.ts';
import { type Proven, proveOnce } from '../rpc/prove-once.ts';
import { checkCurrency } from './balances/check-currency.ts';
import { readBalances } from './balances/read-balances.ts';
import type { TronChain } from './block/decode-block.ts';
import { headerAt, headerWithId, headOf } from './block/header.ts';
import type { ProvenBodies } from './block/proven-bodies.ts';
import { readBlock, type View } from './block/read-block.ts';
import { proveChain } from './prove-chain.ts';
import type { HttpApi } from './wire/http-api.ts';

export interface TronProviderOptions {
  readonly name: string;
  readonly definition: ChainDefinition;
  /** All that the node knows, up to its head. */
  readonly full: HttpApi;
  /** Only what 19 of 27 representatives have built on. */
  readonly solid: HttpApi;
  /** Shared by all providers of the chain. */
  readonly bodies: ProvenBodies;
}

interface ProvenView extends View {
  readonly proven: Proven;
}

/** The solid view is proven apart, so that a node whose solid view is away is still read from its head. */
export class TronProvider implements ProviderReader {
  readonly provider: string;
  readonly hasPastBalances = false;
  readonly #definition: ChainDefinition;
  readonly #chain: TronChain;
  readonly #bodies: ProvenBodies;
  readonly #full: ProvenView;
  readonly #solid: ProvenView;
  /** As it was reported last; -1 while it is not known. */
  #solidHead = -1;
  #showsInternal = false;

  constructor({ name, definition, full, solid, bodies }: TronProviderOptions) {
    this.provider = name;
    this.#definition = definition;
    this.#chain = { name: definition.name, nativeId: nativeCurrency(definition)?.currencyId ?? 0 };
    this.#bodies = bodies;
    const prove = (api: HttpApi) => proveOnce(() => proveChain(api, definition));
    this.#full = { api: full, isFinal: false, proven: prove(full) };
    this.#solid = { api: solid, isFinal: true, proven: prove(solid) };
  }

  head(): Promise<number> {
    const { api, proven } = this.#full;
    return proven(() => headOf(api));
  }

  async finalHeight(): Promise<number> {
    const { api, proven } = this.#solid;
    this.#solidHead = await proven(() => headOf(api));
    return this.#solidHead;
  }

  header(number: number): Promise<BlockHeader | null> {
    return this.#fromBest(number, async ({ api }) => (await headerAt(api, number))?.header ?? null);
  }

  headerByHash(hash: string): Promise<BlockHeader | null> {
    const { api, proven } = this.#full;
    return proven(async () => (await headerWithId(api, hash))?.header ?? null);
  }

  block(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return this.#fromBest(number, (view) => this.#read(view, number, query));
  }

  finalBlock(number: number, query: BlockQuery): Promise<ChainBlock | null> {
    return from(this.#solid, number, (view) => this.#read(view, number, query));
  }

  async balances(
    addresses: readonly string[],
    currency: Currency,
    at: BlockReference,
  ): Promise<BalanceReport> {
    const { api, proven } = this.#solid;
    const report = await proven(() => readBalances(api, addresses, currency, at));
    return { provider: this.provider, ...report };
  }

  /** The receipts of a block show what a node knows of them, when the block is read. */
  internalTransfers(): Promise<readonly Transfer[]> {
    return Promise.reject(new Outage('traces no transactions', { kind: 'unsupported' }));
  }

  checkCurrency(currency: Currency): Promise<string | null> {
    const { api, proven } = this.#full;
    return proven(() => checkCurrency(api, currency));
  }

  gaps(): readonly string[] {
    const gaps: string[] = [];
    if (!this.#showsInternal)
      gaps.push(
        `${this.provider} has not shown an internal transaction yet: without vm.saveInternalTx, TRX that contracts send is found by its balance, without its transaction.`,
      );
    if (this.#definition.genesisHash === null)
      gaps.push('No genesis_hash is stated, so only the chain id distinguishes this chain from another one.');
    return gaps;
  }

  async #read(view: View, number: number, query: BlockQuery): Promise<ChainBlock | null> {
    const block = await readBlock(view, this.#chain, this.#bodies, number, query);
    if (block !== null && block.proposals.length > 0) this.#showsInternal = true;
    return block;
  }

  /** From what cannot change any more where it is known to be there; that view may be away, and is no condition. */
  async #fromBest<T>(number: number, read: (view: View) => Promise<T | null>): Promise<T | null> {
    if (number <= this.#solidHead) {
      try {
        const found = await from(this.#solid, number, read);
        if (found !== null) return found;
      } catch (error) {
        if (!(error instanceof Outage) || !absent.has(error.kind)) throw error;
      }
      this.#solidHead = -1;
    }
    return from(this.#full, number, read);
  }
}

const absent: ReadonlySet<Outage['kind']> = new Set(['unavailable', 'not-yet']);

/** Null where the view ends below the number. Throws Outage 'not-yet' where it should have the block and does not show it. */
function from<T>(
  view: ProvenView,
  number: number,
  read: (view: View) => Promise<T | null>,
): Promise<T | null> {
  return view.proven(async () => {
    const found = await read(view);
    if (found !== null) return found;
    const head = await headOf(view.api);
    if (head < number) return null;
    throw new Outage(`is at block ${head} and has no block ${number}`, { kind: 'not-yet' });
  });
}
