// What connections find out about the primary, for the log: said once, and again when it changes.
import { type Durability, durabilityGaps, waitsForEvery } from './durability.ts';

/** A line for the log. */
export interface News {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export type OnNews = (news: News) => void;

interface Found {
  /** Without a password. */
  readonly host: string;
  readonly timeline: number;
  readonly durability: Durability;
}

const MAY_HAVE_LOST =
  'the primary changed, and the new one may lack what was answered: stop the gateways and go by ' +
  '"A failover that may have lost something" in docs/operate/high-availability.md';

export class PrimaryNews {
  readonly #hosts: number;
  readonly #tell: OnNews;
  #last: Found | null = null;

  constructor(hosts: number, tell: OnNews) {
    this.#hosts = hosts;
    this.#tell = tell;
  }

  /** Called for each connection that was taken for one to the primary. */
  found(found: Found): void {
    const { host, timeline } = found;
    const last = this.#last;
    this.#last = found;
    const isPromoted = last !== null && last.timeline > 0 && timeline > last.timeline;
    if (last !== null && (isPromoted || host !== last.host)) {
      const fields = { host, timeline, from: { host: last.host, timeline: last.timeline } };
      // Two servers on one timeline may each have what the other lacks.
      if (isPromoted && waitsForEvery(last.durability, this.#hosts)) {
        this.#tell({ level: 'warn', fields, message: 'the primary changed' });
      } else this.#tell({ level: 'error', fields, message: MAY_HAVE_LOST });
    }
    const gaps = durabilityGaps(found.durability, this.#hosts);
    const before = last === null ? [] : durabilityGaps(last.durability, this.#hosts);
    if (gaps.join() === before.join()) return;
    for (const gap of gaps) this.#tell({ level: 'warn', fields: { host, gap }, message: 'weak database' });
    if (gaps.length === 0) this.#tell({ level: 'info', fields: { host }, message: 'weak database no more' });
  }
}
