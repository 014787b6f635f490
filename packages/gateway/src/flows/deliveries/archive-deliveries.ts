// Moves old finished events and their attempts from the outbox to the archive.
import type { Tx } from '../../db/postgres/tx.ts';
import { archiveEvents } from '../../db/tables/deliveries/archive.ts';

export interface ArchiveOld {
  /** Events with an id below this one are old: ids are time-ordered. */
  readonly below: string;
  /** The most events that are moved at once. */
  readonly limit: number;
}

/** Moves in one statement; returns the number of events. Resends, lists and the audit still find archived events. */
export function archiveDeliveries(tx: Tx, { below, limit }: ArchiveOld): Promise<number> {
  return archiveEvents(tx, below, limit);
}
