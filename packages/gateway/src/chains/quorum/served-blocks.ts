// Which provider served which block: a provider of one that is not on the chain is doubted, however well it votes.
import type { BlockQuery, BlockReference, ChainBlock } from '../port/reader.ts';
import type { Answer, Provider } from './provider.ts';

interface Served {
  readonly provider: Provider;
  readonly number: number;
  readonly hash: string;
  /** Kept only where a quorum will have to report the same. */
  readonly final: { readonly block: ChainBlock; readonly query: BlockQuery } | null;
}

export class ServedBlocks {
  readonly #most: number;
  /** The last one that was served at each height: after a reorg it is read again. */
  readonly #byNumber = new Map<number, Served>();

  constructor(most: number) {
    this.#most = most;
  }

  keep({ provider, value: block }: Answer<ChainBlock>, query: BlockQuery): void {
    const { number, hash } = block.header;
    const final = block.isFinalView && !block.isProven ? { block, query } : null;
    this.#byNumber.delete(number);
    this.#byNumber.set(number, { provider, number, hash, final });
    const [oldest] = this.#byNumber.keys();
    if (this.#byNumber.size > this.#most && oldest !== undefined) this.#byNumber.delete(oldest);
  }

  /** This block cannot be: who served it is doubted. */
  reject({ number, hash }: BlockReference, reason: string): void {
    const served = this.#byNumber.get(number);
    if (served?.hash !== hash) return;
    served.provider.breaker.doubted(`served block ${number} ${hash}: ${reason}`);
  }

  /** This block is final: who served another one in its place is doubted, once. */
  settle({ number, hash }: BlockReference): void {
    const served = this.#byNumber.get(number);
    if (served === undefined || served.hash === hash) return;
    this.reject(served, `the final one is ${hash}`);
    this.#byNumber.delete(number);
  }

  /** What a provider reported of a block when it served it from its final view, asked for the same. */
  finalReport(number: number, query: BlockQuery): Answer<ChainBlock> | null {
    const served = this.#byNumber.get(number);
    if (served === undefined || served.final === null) return null;
    const { block, query: asked } = served.final;
    const isSame =
      query.currencies.length === asked.currencies.length &&
      query.currencies.every((currency) => asked.currencies.includes(currency)) &&
      [...query.txIds].every((txId) => asked.txIds.has(txId));
    const inclusions = block.inclusions.filter(({ txId }) => query.txIds.has(txId));
    return isSame ? { provider: served.provider, value: { ...block, inclusions } } : null;
  }
}
