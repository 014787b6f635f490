// What an honest provider of the fake chain answers.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { type Currency, isNativeCurrency } from '@ducat/core/chain/currency';
import type { BlockHeader, Transfer } from '@ducat/core/chain/transfer';
import { amountOf } from '@ducat/core/money/amount';
import { Outage } from '@ducat/gateway/runtime/outage';
import type {
  BalanceReport,
  BlockQuery,
  BlockReference,
  ChainBlock,
} from '@ducat/gateway/chains/port/reader';
import type { BlocksInMemory, FakeBlock } from './blocks-in-memory.ts';

export interface FakeProviderOptions {
  /** Whether blocks prove their contents. By default EVM's do and Tron's do not. */
  readonly isProven?: boolean;
  /** Whether balances of past blocks can be asked for. By default EVM's can and Tron's cannot. */
  readonly hasPastBalances?: boolean;
  /** For how many blocks below the head past balances are kept; for all by default. */
  readonly stateBlocks?: number;
  /** Whether the provider can trace; by default what the definition says. */
  readonly canTrace?: boolean;
  /** Whether blocks carry internal transactions as proposals; by default those that do not prove their contents do. */
  readonly hasProposals?: boolean;
  readonly gaps?: readonly string[];
}

/** What a provider shows of a chain. */
export interface ShownChain {
  readonly definition: ChainDefinition;
  readonly blocks: BlocksInMemory;
  readonly finalHeight: number;
}

/** Every method throws Outage as the port says. */
export class HonestProvider {
  readonly hasPastBalances: boolean;
  readonly #provider: string;
  readonly #view: { readonly shown: ShownChain; readonly lag: number };
  readonly #definition: ChainDefinition;
  readonly #options: Required<Omit<FakeProviderOptions, 'gaps' | 'hasPastBalances'>>;

  /** The view may change at any time: the chain that is shown, and how many of its newest blocks are not shown yet. */
  constructor(
    provider: string,
    view: { readonly shown: ShownChain; readonly lag: number },
    options: FakeProviderOptions,
  ) {
    const { definition } = view.shown;
    const isEvm = definition.family === 'evm';
    const { isProven = isEvm, stateBlocks = Infinity, hasPastBalances = isEvm } = options;
    const { canTrace = definition.traceMethod !== 'none', hasProposals = !isProven } = options;
    this.hasPastBalances = hasPastBalances;
    this.#provider = provider;
    this.#view = view;
    this.#definition = definition;
    this.#options = { isProven, stateBlocks, canTrace, hasProposals };
  }

  head(): number {
    return Math.max(0, this.#view.shown.blocks.head - this.#view.lag);
  }

  finalHeight(): number | null {
    return this.#definition.nodeFinality === 'none' ? null : this.#final();
  }

  header(number: number): BlockHeader | null {
    return this.#at(number)?.header ?? null;
  }

  headerByHash(hash: string): BlockHeader | null {
    const found = this.#view.shown.blocks.withHash(hash)?.header ?? null;
    return found !== null && found.number <= this.head() ? found : null;
  }

  block(number: number, query: BlockQuery): ChainBlock | null {
    const found = this.#at(number);
    if (found === null) return null;
    const ids = new Set(query.currencies.map(({ currencyId }) => currencyId));
    const isAsked = ({ amount }: Transfer): boolean => ids.has(amount.currencyId);
    const { isProven, hasProposals } = this.#options;
    return {
      header: found.header,
      transfers: found.transfers.filter(isAsked),
      proposals: hasProposals ? found.internal.filter(isAsked) : [],
      inclusions: found.inclusions.filter(({ txId }) => query.txIds.has(txId)),
      isProven,
    };
  }

  finalBlock(number: number, query: BlockQuery): ChainBlock | null {
    const isFinal = this.#definition.nodeFinality === 'none' || number <= this.#final();
    return isFinal ? this.block(number, query) : null;
  }

  balances(addresses: readonly string[], { currencyId }: Currency, at: BlockReference): BalanceReport {
    const number = this.hasPastBalances ? at.number : this.#final();
    const isThere = this.hasPastBalances ? this.#at(number)?.header.hash === at.hash : number >= at.number;
    if (!isThere) throw new Outage(`does not have block ${at.number} ${at.hash}`, { kind: 'not-yet' });
    if (number < this.head() - this.#options.stateBlocks)
      throw new Outage(`the state of block ${number} is pruned`, { kind: 'unsupported' });
    const { blocks } = this.#view.shown;
    const amounts = addresses.map((one) => amountOf(currencyId, blocks.balance(one, currencyId, number)));
    return { provider: this.#provider, at: number, amounts };
  }

  internalTransfers({ number, hash }: BlockReference, addresses: readonly string[]): readonly Transfer[] {
    if (!this.#options.canTrace) throw new Outage('cannot trace', { kind: 'unsupported' });
    const found = this.#at(number);
    if (found?.header.hash !== hash)
      throw new Outage(`does not have block ${number} ${hash}`, { kind: 'not-yet' });
    const native = this.#definition.currencies.filter(isNativeCurrency).map(({ currencyId }) => currencyId);
    return found.internal.filter(
      ({ to, amount }) => addresses.includes(to) && native.includes(amount.currencyId),
    );
  }

  #at(number: number): FakeBlock | null {
    return number > this.head() ? null : this.#view.shown.blocks.at(number);
  }

  #final(): number {
    return Math.max(0, this.#view.shown.finalHeight - this.#view.lag);
  }
}
