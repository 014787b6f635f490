// Which of several hosts is worked on: what each says of itself, and what counts as proof that another took its place.

/** What a server says of itself. */
export interface Standing {
  readonly refuses: boolean;
  /** Each promotion begins a new one, so of two servers that take writes the higher is right; 0 where it cannot tell. */
  readonly timeline: number;
}

/** A server that answered and is not the one to work on: a standby, an old primary, a second one. */
export class NotPrimary extends Error {
  override readonly name = 'NotPrimary';
}

/** A connection, by the host it goes to and what that host said when it was opened. */
export interface Opened {
  readonly place: number;
  readonly standing: Standing;
}

/** Begins with the first of so many hosts, where they are not asked before. A host is named by its place in the address. */
export class PrimaryChoice {
  readonly #hosts: number;
  #place = 0;
  #turns = 0;
  /** The host that is worked on, null before the first and once it refused to be written. */
  #inUse: number | null = null;
  /** Whether that one failed a new connection while none to it was left, and took none since. */
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

  /** Whether a timeline is known, by which an old primary is told from a new one. */
  get isMade(): boolean {
    return this.#newestTimeline > 0;
  }

  /** What hosts said before any was worked on: begins with the newest that takes writes, of several with the first. */
  beginWith(answers: readonly Opened[]): void {
    for (const { place, standing } of answers) {
      if (standing.refuses || standing.timeline <= this.#newestTimeline) continue;
      this.#newestTimeline = standing.timeline;
      this.#turnTo(place);
    }
  }

  /** Every host once, the one that is worked on last: the others may know that it was followed. */
  othersFirst(): readonly number[] {
    const from = this.#inUse ?? this.#place;
    return Array.from({ length: this.#hosts }, (_, n) => (from + 1 + n) % this.#hosts);
  }

  /**
   * A connection to it could not be had: turns to the next host, unless somebody who failed at the same one has done so.
   * `isOpen` says whether another one to it is there, or it answered that it has none left to give.
   */
  turnFrom(failed: number, isOpen: boolean): void {
    if (failed === this.#inUse && !isOpen) this.#isGone = true;
    if (failed === this.#place) this.#turnTo((failed + 1) % this.#hosts);
  }

  /**
   * Takes a host for the primary, or throws. A host in use is left for proof alone: neither one refused connection nor a
   * statement without an answer is any.
   */
  judge(host: number, { refuses, timeline }: Standing): void {
    if (refuses) {
      if (host === this.#inUse) this.#inUse = null;
      throw new NotPrimary('this server takes no writes');
    }
    const newest = this.#newestTimeline;
    if (timeline < newest) {
      throw new NotPrimary(`timeline ${timeline} is an old primary's: ${newest} was seen`);
    }
    if (this.#inUse !== null && host !== this.#inUse) {
      // A promotion is proof whenever it is heard of.
      if (timeline === newest && host !== this.#place) {
        throw new NotPrimary('this host was left while it was asked');
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

  /** There is one primary: a connection to another is one to its past, and what it still answers is history. */
  isPast({ place, standing }: Opened): boolean {
    return place !== this.#inUse || standing.timeline < this.#newestTimeline;
  }

  #turnTo(next: number): void {
    if (next === this.#place) return;
    this.#place = next;
    this.#turns++;
  }
}
