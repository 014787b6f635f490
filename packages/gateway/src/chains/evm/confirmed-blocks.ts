// Blocks of which two endpoints told everything alike, so that they need not be read again when they are final.
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockReference, ChainBlock } from '../port.ts';

/** More than the blocks above what is final on any chain; one that is gone from here is read again. */
const maxKept = 256;

export class ConfirmedBlocks {
  readonly #kept = new Map<string, { readonly block: ChainBlock; readonly watched: readonly Currency[] }>();

  keep(block: ChainBlock, watched: readonly Currency[]): void {
    const { hash } = block.header;
    this.#kept.delete(hash);
    this.#kept.set(hash, { block, watched });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Null where it is not known, or was read with other currencies in view. */
  of({ hash }: Pick<BlockReference, 'hash'>, watched: readonly Currency[]): ChainBlock | null {
    const known = this.#kept.get(hash);
    return known?.watched === watched ? known.block : null;
  }
}
