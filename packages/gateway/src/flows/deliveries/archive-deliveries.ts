// Moves old finished events with their attempts to the archive, out of the way of those that are not.
import type { Tx } from '../../db/postgres/tx.ts';
import { archiveEvents } from '../../db/tables/deliveries/archive.ts';

export interface ArchiveOld {
  /** What has an id below this one is old: ids are time-ordered. */
  readonly below: string;
  /** The most that is moved at once. */
  readonly limit: number;
}

/** Returns how many events were moved, in one statement. A resend still finds them, and so do lists and the audit. */
export function archiveDeliveries(tx: Tx, { below, limit }: ArchiveOld): Promise<number> {
  return archiveEvents(tx, below, limit);
}
