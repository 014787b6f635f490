// Which provider served which block: a provider of one that is not on the chain is doubted, however well it votes.
import { LRUCache } from 'lru-cache';
import type { BlockReference, ChainBlock } from '../port/reader.ts';
import type { Answer, Provider } from './provider.ts';

interface Served extends BlockReference {
  readonly provider: Provider;
}

export class ServedBlocks {
  /** The last one that was served at each height: after a reorg it is read again. */
  readonly #byNumber: LRUCache<number, Served>;

  constructor(most: number) {
    this.#byNumber = new LRUCache({ max: most });
  }

  keep({ provider, value: { header } }: Answer<ChainBlock>): void {
    const { number, hash } = header;
    this.#byNumber.set(number, { provider, number, hash });
  }

  /** This block cannot be: who served it is doubted. */
  reject({ number, hash }: BlockReference, reason: string): void {
    const served = this.#byNumber.get(number);
    if (served?.hash !== hash) return;
    served.provider.breaker.doubted(`served block ${number} ${hash}: ${reason}`);
  }
}
