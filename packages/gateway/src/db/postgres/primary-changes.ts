// Notices for the log about the primary: a failover, and settings that can lose what was committed. Each is said once.
import { type Durability, durabilityGaps, isSynchronous, waitsForEvery } from './durability.ts';

/** A line for the log. */
export interface DatabaseNotice {
  readonly level: 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly message: string;
}

export type OnNotice = (notice: DatabaseNotice) => void;

interface Connected {
  /** Host and port, without a password. */
  readonly host: string;
  readonly timeline: number;
  readonly durability: Durability;
}

const PAGE = '"A failover that may have lost something" in docs/operate/high-availability.md';
const MAY_HAVE_LOST = `the primary changed, and the new one may lack what was answered: stop the gateways and go by ${PAGE}`;
const CANNOT_SEE =
  `the primary changed, and the gateway cannot see whether the new one has all that was answered: ${PAGE}; ` +
  'where only standbys that have it are promoted, say so by database.promotes_only_synced';

export class PrimaryChanges {
  readonly #hosts: number;
  readonly #promotesOnlySynced: boolean;
  readonly #report: OnNotice;
  #last: Connected | null = null;

  constructor(hosts: number, promotesOnlySynced: boolean, report: OnNotice) {
    this.#hosts = hosts;
    this.#promotesOnlySynced = promotesOnlySynced;
    this.#report = report;
  }

  /** Called for each new connection that was accepted as one to the primary. */
  connected(to: Connected): void {
    const { host, timeline } = to;
    const last = this.#last;
    this.#last = to;
    const isPromoted = last !== null && last.timeline > 0 && timeline > last.timeline;
    if (last !== null && (isPromoted || host !== last.host)) {
      const fields = { host, timeline, from: { host: last.host, timeline: last.timeline } };
      // On one timeline, each of two servers may have commits that the other lacks.
      const couldKeepAll = isPromoted && isSynchronous(last.durability);
      if (couldKeepAll && (this.#promotesOnlySynced || waitsForEvery(last.durability, this.#hosts))) {
        this.#report({ level: 'warn', fields, message: 'the primary changed' });
      } else this.#report({ level: 'error', fields, message: couldKeepAll ? CANNOT_SEE : MAY_HAVE_LOST });
    }
    const gaps = durabilityGaps(to.durability, this.#hosts);
    const before = last === null ? [] : durabilityGaps(last.durability, this.#hosts);
    if (gaps.join() === before.join()) return;
    for (const gap of gaps) this.#report({ level: 'warn', fields: { host, gap }, message: 'weak database' });
    if (gaps.length === 0)
      this.#report({ level: 'info', fields: { host }, message: 'weak database no more' });
  }
}
