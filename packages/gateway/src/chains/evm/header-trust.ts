// Whether a header is what its hash says; where that cannot be computed, whether a second endpoint shows the same.
import type { World } from '../../runtime/world.ts';
import type { Endpoint } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import { checkHeaderHash, type UnknownFields } from './header-hash.ts';
import { headerAnswer, type RawHeader, quantityAnswer } from './raw-block.ts';
import {
  anotherHeader,
  confirmHeader,
  contentOf,
  neededHeaders,
  type ShownHeader,
  type ToldHeader,
  uncovered,
} from './second-header.ts';

/** More blocks than are read and looked at again at the same time. */
const maxKept = 256;

/**
 * A chain may get header fields that this version cannot order, by a fork at some height. It is read all the same,
 * with a stated gap: every header that does not prove itself counts only where a second endpoint shows the same under
 * that hash. Nothing is remembered that would let another header pass, so a field that somebody made up costs a
 * question, and a restart changes nothing. One endpoint alone is taken at its word, as long as it does not contradict
 * itself.
 */
export class HeaderTrust {
  readonly #endpoints: Endpoints;
  readonly #world: World;
  /** By hash, what two endpoints showed alike. */
  readonly #confirmed = new Map<string, string>();
  /** The highest block whose header nobody could prove; null while there is no gap. */
  #unprovenUpTo: number | null = null;
  /** Who has shown a header above it that proves itself. */
  readonly #provenBy = new Set<Endpoint>();
  /** Of one endpoint alone: the highest block that it has shown a header of that proves itself. */
  #provenUpTo = -1;

  constructor(endpoints: Endpoints, world: World) {
    this.#endpoints = endpoints;
    this.#world = world;
  }

  /** True while it is sure that the newest hashes cannot be computed on this chain. */
  get gap(): boolean {
    return this.#unprovenUpTo !== null;
  }

  /**
   * Throws LyingNode where it is not what its hash says, Outage where nobody
   * confirms what cannot be computed, BehindHead where nobody else has come as far.
   */
  async check(endpoint: Endpoint, header: RawHeader): Promise<void> {
    const unknown = checkHeaderHash(header);
    const number = quantityAnswer(header.number);
    if (unknown.length === 0) return this.#proven(endpoint, number);
    if (this.#isAlone) await this.#checkAlone(endpoint, number, unknown);
    else await this.#confirm(endpoint, header);
    this.#unprovenUpTo = Math.max(number, this.#unprovenUpTo ?? number);
    this.#provenBy.clear();
  }

  get #isAlone(): boolean {
    return this.#endpoints.count < neededHeaders;
  }

  /** It takes as many to end the gap as to begin it. */
  #proven(endpoint: Endpoint, number: number): void {
    this.#provenUpTo = Math.max(this.#provenUpTo, number);
    if (this.#unprovenUpTo === null || number <= this.#unprovenUpTo) return;
    this.#provenBy.add(endpoint);
    if (!this.#isAlone && this.#provenBy.size < neededHeaders) return;
    this.#unprovenUpTo = null;
    this.#provenBy.clear();
  }

  /** A field that came with a fork is in every header from there on, and in none before. */
  async #checkAlone({ rpc }: Endpoint, number: number, unknown: UnknownFields): Promise<void> {
    if (number > this.#provenUpTo) {
      if (this.gap) return;
      const newest = headerAnswer(await rpc.call('eth_getBlockByNumber', ['latest', false]));
      if (newest !== null && checkHeaderHash(newest).join() === unknown.join()) return;
    }
    throw uncovered(number);
  }

  async #confirm(endpoint: Endpoint, header: RawHeader): Promise<void> {
    const number = quantityAnswer(header.number);
    const told = { endpoint, number, hash: header.hash.toLowerCase(), content: contentOf(header) };
    if (!this.#confirmed.has(told.hash)) {
      const shown: ShownHeader[] = [];
      const hear = (one: ShownHeader): void => {
        shown.push(one);
        // What comes too late for this question answers the next one.
        if (one.content === told.content && !one.isProven) this.#keep(told);
        for (const each of shown) this.#blame(each, told);
      };
      await confirmHeader(this.#endpoints, told, hear, this.#world);
    }
    const confirmed = this.#confirmed.get(told.hash) ?? told.content;
    if (confirmed !== told.content) throw anotherHeader(told);
  }

  #keep({ hash, content }: ToldHeader): void {
    if (this.#confirmed.has(hash)) return;
    this.#confirmed.set(hash, content);
    const [oldest] = this.#confirmed.keys();
    if (this.#confirmed.size > maxKept && oldest !== undefined) this.#confirmed.delete(oldest);
  }

  /** Takes out of use who shows something else than two others do, also where it is asked only to confirm. */
  #blame({ endpoint, content }: ShownHeader, told: ToldHeader): void {
    const confirmed = this.#confirmed.get(told.hash);
    if (confirmed !== undefined && content !== confirmed) endpoint.distrust(anotherHeader(told));
  }
}
