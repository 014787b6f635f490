// Whether this chain's headers prove their hashes, and the gap that is stated where they cannot.
import { checkHeaderHash, type HeaderCheck } from './header-hash.ts';
import { LyingNode } from './lying-node.ts';
import { type RawHeader, quantityAnswer } from './raw-block.ts';

/** Checks the newest header of every endpoint of the chain; throws Outage where one of them does not answer. */
export type HeaderSurvey = () => Promise<readonly HeaderCheck[]>;

/**
 * A chain may have header fields that this version cannot order. It is read all the same, with a stated gap,
 * but only where every endpoint shows such headers and none ever proved its hash: else a node could escape
 * the check by adding a field.
 */
export class HeaderTrust {
  readonly #survey: HeaderSurvey;
  #state: 'unknown' | HeaderCheck = 'unknown';

  constructor(survey: HeaderSurvey) {
    this.#survey = survey;
  }

  /** True once it is sure that hashes cannot be checked on this chain. */
  get gap(): boolean {
    return this.#state === 'unknown-fields';
  }

  /** Throws LyingNode where the header is not what its hash says. */
  async check(header: RawHeader): Promise<void> {
    const check = checkHeaderHash(header);
    if (check === 'verified') this.#state = check;
    else if (this.#state === 'unknown') await this.#ask();
    if (check === 'unknown-fields' && this.#state === 'verified') {
      throw new LyingNode(
        `the header of block ${quantityAnswer(header.number)} has fields that its hash does not cover`,
      );
    }
  }

  async #ask(): Promise<void> {
    const checks = await this.#survey();
    this.#state = checks.includes('verified') ? 'verified' : 'unknown-fields';
  }
}
