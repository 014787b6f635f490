// Moves the evidence of old quotes to the archive.
import type { Tx } from '../../db/postgres/tx.ts';
import { archiveQuoteEvidence } from '../../db/tables/orders/quote-evidence.ts';

export interface ArchiveEvidence {
  /** The evidence of orders below this trade_no is old: they are time-ordered. */
  readonly below: string;
  /** The most that is moved at once. */
  readonly limit: number;
}

/** Returns of how many orders the evidence was moved, in one statement. Nothing is decided by it once the order stands. */
export function archiveEvidence(tx: Tx, { below, limit }: ArchiveEvidence): Promise<number> {
  return archiveQuoteEvidence(tx, below, limit);
}
