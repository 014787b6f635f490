// Chooses the host to work on: by what each host reports of itself, and what proves that another one took over.

/** What a server reports of itself. */
export interface Standing {
  /** Whether the server takes no writes. */
  readonly refuses: boolean;
  /**
   * The WAL timeline; 0 if unknown. Each promotion begins a higher one, so the server with the higher timeline is the
   * primary.
   */
  readonly timeline: number;
}

/** The server responded, and it is a standby, an old primary or a second primary. */
export class NotPrimary extends Error {
  override readonly name = 'NotPrimary';
}

/** A connection: the host it goes to, and what the host reported when the connection was opened. */
export interface Opened {
  readonly place: number;
  readonly standing: Standing;
}

/** Begins with the first host, unless `beginWith` gets reports. A host is named by its place in the address. */
export class PrimaryChoice {
  readonly #hosts: number;
  #place = 0;
  #turns = 0;
  /** The host in use; null before the first connection, and after this host refused writes. */
  #inUse: number | null = null;
  /** Whether a new connection to the host in use failed while no other was open, and none has succeeded since. */
  #isGone = false;
  #newestTimeline = 0;

  constructor(hosts: number) {
    this.#hosts = hosts;
  }

  /** The host that is tried next. */
  get place(): number {
    return this.#place;
  }

  get turns(): number {
    return this.#turns;
  }

  /** Whether a timeline is known. Without one, an old primary looks like a new one. */
  get isMade(): boolean {
    return this.#newestTimeline > 0;
  }

  /** Begins with the writable host on the highest timeline; among several on one timeline with the first. */
  beginWith(reports: readonly Opened[]): void {
    for (const { place, standing } of reports) {
      if (standing.refuses || standing.timeline <= this.#newestTimeline) continue;
      this.#newestTimeline = standing.timeline;
      this.#turnTo(place);
    }
  }

  /** Every host once, the one in use last, because the others may know of its successor. */
  othersFirst(): readonly number[] {
    const from = this.#inUse ?? this.#place;
    return Array.from({ length: this.#hosts }, (_, n) => (from + 1 + n) % this.#hosts);
  }

  /**
   * A connection to this host failed: turns to the next host, unless another caller has done so. `isOpen` says whether
   * another connection to the host is open, or whether the host answered that it has no connection left.
   */
  turnFrom(failed: number, isOpen: boolean): void {
    if (failed === this.#inUse && !isOpen) this.#isGone = true;
    if (failed === this.#place) this.#turnTo((failed + 1) % this.#hosts);
  }

  /**
   * Accepts a host as the primary, or throws NotPrimary. The host in use is left only for proof. A refused connection
   * is no proof, and neither is a statement without a response.
   */
  accept(host: number, { refuses, timeline }: Standing): void {
    if (refuses) {
      if (host === this.#inUse) this.#inUse = null;
      throw new NotPrimary('this server takes no writes');
    }
    const newest = this.#newestTimeline;
    if (timeline < newest) {
      throw new NotPrimary(`timeline ${timeline} is an old primary's: ${newest} was seen`);
    }
    if (this.#inUse !== null && host !== this.#inUse) {
      // A newer timeline is proof, even from a host that was left while it was probed.
      if (timeline === newest && host !== this.#place) {
        throw new NotPrimary('this host was left while it was probed');
      }
      if (timeline === newest && !this.#isGone) {
        throw new NotPrimary(`a second primary on timeline ${timeline}; the one in use is stayed with`);
      }
    }
    this.#inUse = host;
    this.#isGone = false;
    this.#newestTimeline = timeline;
    this.#turnTo(host);
  }

  /** Whether a connection goes to a former primary, whose data may be outdated. */
  isPast({ place, standing }: Opened): boolean {
    return place !== this.#inUse || standing.timeline < this.#newestTimeline;
  }

  #turnTo(next: number): void {
    if (next === this.#place) return;
    this.#place = next;
    this.#turns++;
  }
}
