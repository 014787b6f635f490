// What one endpoint told of each height, until it is known what is final there.
import type { BlockReference } from '../port.ts';

/** More than lie between the head and what is final where all is well. */
const maxKept = 1_024;

export class ToldBlocks {
  readonly #hashes = new Map<number, string>();

  keep({ number, hash }: BlockReference): void {
    this.#hashes.delete(number);
    this.#hashes.set(number, hash);
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > maxKept && oldest !== undefined) this.#hashes.delete(oldest);
  }

  /** Whether it told another block of that height, which is then forgotten: it is judged once. */
  takeContradiction({ number, hash }: BlockReference): boolean {
    const told = this.#hashes.get(number);
    if (told === undefined || told === hash) return false;
    return this.#hashes.delete(number);
  }
}
