// Which provider served which block: whoever served one that is not on the chain is doubted, however well it votes.
import type { BlockQuery, BlockReference, ChainBlock } from '../port/reader.ts';
import type { Answer, Provider } from './provider.ts';

interface Served {
  readonly provider: Provider;
  readonly block: ChainBlock;
  readonly query: BlockQuery;
}

export class ServedBlocks {
  readonly #most: number;
  /** The last one that was served at each height: after a reorg it is read again. */
  readonly #byNumber = new Map<number, Served>();

  constructor(most: number) {
    this.#most = most;
  }

  keep({ provider, value: block }: Answer<ChainBlock>, query: BlockQuery): void {
    this.#byNumber.delete(block.header.number);
    this.#byNumber.set(block.header.number, { provider, block, query });
    const [oldest] = this.#byNumber.keys();
    if (this.#byNumber.size > this.#most && oldest !== undefined) this.#byNumber.delete(oldest);
  }

  /** This block cannot be: who served it is doubted. */
  reject({ number, hash }: BlockReference, reason: string): void {
    const served = this.#byNumber.get(number);
    if (served?.block.header.hash !== hash) return;
    served.provider.breaker.doubted(`served block ${number} ${hash}: ${reason}`);
  }

  /** This block is final: who served another one in its place is doubted, once. */
  settle({ number, hash }: BlockReference): void {
    const served = this.#byNumber.get(number)?.block.header;
    if (served === undefined || served.hash === hash) return;
    this.reject(served, `the final one is ${hash}`);
    this.#byNumber.delete(number);
  }

  /** What a provider reported of a block when it served it from its final view, asked for the same. */
  finalReport(number: number, query: BlockQuery): Answer<ChainBlock> | null {
    const served = this.#byNumber.get(number);
    if (served === undefined || !served.block.isFinalView) return null;
    const { provider, block, query: asked } = served;
    const isSame =
      query.currencies.length === asked.currencies.length &&
      query.currencies.every((currency) => asked.currencies.includes(currency)) &&
      [...query.txIds].every((txId) => asked.txIds.has(txId));
    const inclusions = block.inclusions.filter(({ txId }) => query.txIds.has(txId));
    return isSame ? { provider, value: { ...block, inclusions } } : null;
  }
}
