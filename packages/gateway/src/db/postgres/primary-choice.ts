// Which of several hosts is worked on: what each reports of itself, and what proves that another took its place.

/** What a server reports of itself. */
export interface Standing {
  /** Whether it takes no writes. */
  readonly refuses: boolean;
  /** Each promotion begins a new one, so of two servers that take writes the higher is right; 0 where it is not known. */
  readonly timeline: number;
}

/** A server that responded and is not the one to work on: a standby, an old primary, a second primary. */
export class NotPrimary extends Error {
  override readonly name = 'NotPrimary';
}

/** A connection, by the host it goes to and what that host reported when it was opened. */
export interface Opened {
  readonly place: number;
  readonly standing: Standing;
}

/** Begins with the first of so many hosts, unless they were probed before. A host is named by its place in the address. */
export class PrimaryChoice {
  readonly #hosts: number;
  #place = 0;
  #turns = 0;
  /** The host that is worked on; null before the first, and once it refused writes. */
  #inUse: number | null = null;
  /** Whether that host failed a new connection while none to it was left, and took none since. */
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

  /** Begins with the newest host that takes writes; among several on one timeline with the first. */
  beginWith(reports: readonly Opened[]): void {
    for (const { place, standing } of reports) {
      if (standing.refuses || standing.timeline <= this.#newestTimeline) continue;
      this.#newestTimeline = standing.timeline;
      this.#turnTo(place);
    }
  }

  /** Every host once, the one in use last: the others may know of its successor. */
  othersFirst(): readonly number[] {
    const from = this.#inUse ?? this.#place;
    return Array.from({ length: this.#hosts }, (_, n) => (from + 1 + n) % this.#hosts);
  }

  /**
   * No connection to this host could be made: turns to the next one, unless another caller has done so. `isOpen` says
   * whether another connection to the host is open, or the host responded that it has none left.
   */
  turnFrom(failed: number, isOpen: boolean): void {
    if (failed === this.#inUse && !isOpen) this.#isGone = true;
    if (failed === this.#place) this.#turnTo((failed + 1) % this.#hosts);
  }

  /**
   * Takes a host for the primary, or throws NotPrimary. The host in use is left only for proof: a refused connection is
   * none, and neither is a statement without a response.
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
      // A newer timeline is proof, whatever host was turned to meanwhile.
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

  /** Whether a connection goes to a former primary: what that one still responds is history. */
  isPast({ place, standing }: Opened): boolean {
    return place !== this.#inUse || standing.timeline < this.#newestTimeline;
  }

  #turnTo(next: number): void {
    if (next === this.#place) return;
    this.#place = next;
    this.#turns++;
  }
}
