// What connections find out about the primary, for the log: said once, and again when it changes.
import { type Durability, durabilityGaps, isSynchronous } from './durability.ts';

/** A line for the log. */
export interface News {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export type OnNews = (news: News) => void;

interface Found {
  readonly timeline: number;
  readonly durability: Durability;
}

const MAY_HAVE_LOST =
  'the primary changed, and no standby was waited for as far as we know: stop the gateways and go by ' +
  '"A failover that may have lost something" in docs/operate/high-availability.md';

export class PrimaryNews {
  readonly #hosts: number;
  readonly #tell: OnNews;
  #last: Found | null = null;

  constructor(hosts: number, tell: OnNews) {
    this.#hosts = hosts;
    this.#tell = tell;
  }

  /** Called for each connection that was taken for one to the primary; `host` without a password. */
  found(host: string, found: Found): void {
    const last = this.#last;
    this.#last = found;
    if (last !== null && last.timeline > 0 && found.timeline > last.timeline) {
      const fields = { host, timeline: found.timeline, from: last.timeline };
      if (isSynchronous(last.durability)) {
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
