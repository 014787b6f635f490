// Which provider served which block: whoever served one that is not on the chain is doubted, however well it votes.
import type { BlockQuery, BlockReference, ChainBlock } from '../port/reader.ts';
import type { Provider } from './provider.ts';

interface Served {
  readonly provider: Provider;
  readonly hash: string;
  /** Kept where it is the provider's final report, and finality has yet to ask for that. */
  readonly final: { readonly block: ChainBlock; readonly query: BlockQuery } | null;
}

export class ServedBlocks {
  readonly #most: number;
  readonly #byNumber = new Map<number, Served>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The last one that was served at a height counts: after a reorg it is read again. */
  keep(provider: Provider, block: ChainBlock, query: BlockQuery): void {
    const { number, hash } = block.header;
    const final = block.isFinalView && !block.isProven ? { block, query } : null;
    this.#byNumber.delete(number);
    this.#byNumber.set(number, { provider, hash, final });
    const [oldest] = this.#byNumber.keys();
    if (this.#byNumber.size > this.#most && oldest !== undefined) this.#byNumber.delete(oldest);
  }

  /** Who served this very block, if it was the last of its height. */
  providerOf({ number, hash }: BlockReference): Provider | null {
    const served = this.#byNumber.get(number);
    return served?.hash === hash ? served.provider : null;
  }

  /** Who served another block of that height. Asked once: what is known to be wrong is forgotten. */
  takeContradiction({ number, hash }: BlockReference): Provider | null {
    const served = this.#byNumber.get(number);
    if (served === undefined || served.hash === hash) return null;
    this.#byNumber.delete(number);
    return served.provider;
  }

  /** A provider's report from its final view, if it was asked for everything that `query` asks for. */
  finalReport(number: number, query: BlockQuery): { provider: Provider; block: ChainBlock } | null {
    const served = this.#byNumber.get(number);
    if (served === undefined || served.final === null) return null;
    const { block, query: asked } = served.final;
    const currencies = new Set(asked.currencies.map(({ currencyId }) => currencyId));
    const covers =
      query.currencies.length === currencies.size &&
      query.currencies.every(({ currencyId }) => currencies.has(currencyId)) &&
      [...query.txIds].every((txId) => asked.txIds.has(txId));
    if (!covers) return null;
    const inclusions = block.inclusions.filter(({ txId }) => query.txIds.has(txId));
    return { provider: served.provider, block: { ...block, inclusions } };
  }
}
