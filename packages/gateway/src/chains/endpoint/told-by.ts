// Which endpoint told of a block that was read, for the case that the block turns out to be impossible.
import type { BlockReference } from '../port.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** More blocks than are read at the same time. */
const maxKept = 64;

export class ToldBy<E extends WatchedEndpoint> {
  readonly #kept = new Map<string, E>();

  keep(block: BlockReference, endpoint: E): void {
    const { hash } = block;
    endpoint.toldBlocks.keep(block);
    this.#kept.delete(hash);
    this.#kept.set(hash, endpoint);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** Null where the block was not read lately. */
  of({ hash }: Pick<BlockReference, 'hash'>): E | null {
    return this.#kept.get(hash) ?? null;
  }
}
