// Whether this chain's headers prove their hashes, and the gap that is stated where they cannot.
import { checkHeaderHash, type UnknownFields } from './header-hash.ts';
import { LyingNode } from '../endpoint/lying-node.ts';
import { type RawHeader, quantityAnswer } from './raw-block.ts';

/** Checks the newest header of every endpoint of the chain; throws Outage where one of them does not answer. */
export type HeaderSurvey = () => Promise<readonly UnknownFields[]>;

/**
 * A chain may get header fields that this version cannot order, by a fork at some height. It is read all the
 * same, with a stated gap, but only from that height on and where every endpoint shows the same fields: else a
 * node could escape the check by adding one.
 */
export class HeaderTrust {
  readonly #survey: HeaderSurvey;
  #provenUpTo = -1;
  #unknownFrom: number | null = null;

  constructor(survey: HeaderSurvey) {
    this.#survey = survey;
  }

  /** True while it is sure that the newest hashes cannot be checked on this chain. */
  get gap(): boolean {
    return this.#unknownFrom !== null;
  }

  /** Throws LyingNode where the header is not what its hash says. The number is the one that was asked for. */
  async check(header: RawHeader): Promise<void> {
    const unknown = checkHeaderHash(header);
    const number = quantityAnswer(header.number);
    if (unknown.length === 0) return this.#proven(number);
    // A field that came with a fork is in every header from there on, and in none before.
    if (number > this.#provenUpTo) {
      if (this.#unknownFrom !== null && number >= this.#unknownFrom) return;
      if (await this.#allShow(unknown)) {
        this.#unknownFrom = Math.min(number, this.#unknownFrom ?? number);
        return;
      }
    }
    throw new LyingNode(`the header of block ${number} has fields that its hash does not cover`);
  }

  #proven(number: number): void {
    this.#provenUpTo = Math.max(this.#provenUpTo, number);
    if (this.#unknownFrom !== null && number >= this.#unknownFrom) this.#unknownFrom = null;
  }

  async #allShow(unknown: UnknownFields): Promise<boolean> {
    const shown = await this.#survey();
    return shown.every((fields) => fields.join() === unknown.join());
  }
}
