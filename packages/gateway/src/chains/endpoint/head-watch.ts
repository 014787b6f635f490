// What the heads that an endpoint tells say of it: whether it gets on, and whether it has come as far as the chain.

/** How many blocks of these are made in a while, and some more: whoever is further below the others is not only slow. */
const farMs = 15_000;
const farMore = 20;
/** A head above all later ones, such as one made up, counts for so many times the patience. */
const forgottenAfter = 10;

export class HeadWatch {
  /** So many blocks below another endpoint is far. */
  readonly farBlocks: number;
  readonly #patienceMs: number;
  #told = -1;
  #toldAtMs = 0;
  #highest = -1;
  #highestSinceMs = 0;
  #farBelow: number | null = null;
  #farSinceMs = 0;

  constructor(patienceMs: number, blockTimeMs: number) {
    this.#patienceMs = patienceMs;
    this.farBlocks = Math.ceil(farMs / blockTimeMs) + farMore;
  }

  /** As it was told last, -1 before. */
  get told(): number {
    return this.#told;
  }

  note(nowMs: number, head: number): void {
    this.#told = head;
    this.#toldAtMs = nowMs;
    const sinceMs = Math.abs(nowMs - this.#highestSinceMs);
    if (head > this.#highest) this.#highestSinceMs = nowMs;
    else if (sinceMs < this.#patienceMs * forgottenAfter) return;
    this.#highest = head;
  }

  /** How long ago it told one. */
  ageMs(nowMs: number): number {
    return this.#told < 0 ? Infinity : Math.abs(nowMs - this.#toldAtMs);
  }

  /** Whether nothing above all that it told before has come for longer than blocks take. */
  standsStill(nowMs: number): boolean {
    return Math.abs(nowMs - this.#highestSinceMs) >= this.#patienceMs;
  }

  /** Whether a height is further above what it told than one that keeps up can be. */
  isFarBelow(height: number): boolean {
    return height > this.#told + this.farBlocks;
  }

  /** How far the chain is by what others tell. */
  compare(nowMs: number, height: number): void {
    if (!this.isFarBelow(height)) this.#farBelow = null;
    else {
      if (this.#farBelow === null) this.#farSinceMs = nowMs;
      this.#farBelow = height;
    }
  }

  /** What is wrong, in words; null where nothing is. */
  trouble(nowMs: number): string | null {
    const height = this.#farBelow;
    if (height === null || Math.abs(nowMs - this.#farSinceMs) < this.#patienceMs) return null;
    return `tells head ${this.#told}, and others have come as far as ${height}`;
  }
}
