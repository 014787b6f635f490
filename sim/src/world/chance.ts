// Seeded chance: the same seed and name give the same numbers, on every machine.
import { createHash } from 'node:crypto';

export class Chance {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** `name` separates the streams of one seed, so that a new consumer does not change the numbers of the others. */
  constructor(seed: number, name: string) {
    const digest = createHash('sha256').update(`${seed}/${name}`).digest();
    this.#a = digest.readUInt32LE(0);
    this.#b = digest.readUInt32LE(4);
    this.#c = digest.readUInt32LE(8);
    this.#d = digest.readUInt32LE(12);
  }

  /** A float in [0, 1): the generator sfc32. */
  next(): number {
    const sum = (this.#a + this.#b + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  hits(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const picked = list[this.between(0, list.length - 1)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** One key, each as likely as its weight says; weights may be zero, but not all of them. */
  weighted<Key extends string>(weights: readonly (readonly [Key, number])[]): Key {
    let point = this.next() * weights.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of weights) {
      point -= weight;
      if (point < 0) return key;
    }
    throw new Error('no weight is above zero');
  }

  shuffled<T>(list: readonly T[]): T[] {
    const keyed = list.map((item) => ({ item, key: this.next() }));
    return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
  }

  bytes(count: number): Uint8Array {
    return Uint8Array.from({ length: count }, () => this.between(0, 255));
  }

  /** A 32 byte hash as chains write it. */
  hash(): string {
    return `0x${Buffer.from(this.bytes(32)).toString('hex')}`;
  }
}
