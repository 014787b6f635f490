// Which provider served which block: the provider of a block that is not on the chain is doubted, however well it votes.
import { LRUCache } from 'lru-cache';
import type { BlockReference, ChainBlock } from '../port/reader.ts';
import type { Answer, Provider } from './provider.ts';

interface Served extends BlockReference {
  readonly provider: Provider;
}

export class ServedBlocks {
  /** The block that was served last at each height: after a reorg, a height is read again. */
  readonly #byNumber: LRUCache<number, Served>;

  constructor(most: number) {
    this.#byNumber = new LRUCache({ max: most });
  }

  keep({ provider, value: { header } }: Answer<ChainBlock>): void {
    const { number, hash } = header;
    this.#byNumber.set(number, { provider, number, hash });
  }

  /** Doubts the provider that served this block, because the block is not on the chain. */
  reject({ number, hash }: BlockReference, reason: string): void {
    const served = this.#byNumber.get(number);
    if (served?.hash !== hash) return;
    served.provider.breaker.doubted(`served block ${number} ${hash}: ${reason}`);
  }
}
