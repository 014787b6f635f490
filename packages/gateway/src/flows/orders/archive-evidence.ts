// Moves the evidence of old quotes to the archive.
import type { Tx } from '../../db/postgres/tx.ts';
import { archiveQuoteEvidence } from '../../db/tables/orders/quote-evidence.ts';

export interface ArchiveEvidence {
  /** The evidence of orders below this trade_no is old: trade numbers are time-ordered. */
  readonly below: string;
  /** The most orders whose evidence is moved at once. */
  readonly limit: number;
}

/** Moves in one statement; returns the number of orders. Once an order exists, nothing is decided by its evidence. */
export function archiveEvidence(tx: Tx, { below, limit }: ArchiveEvidence): Promise<number> {
  return archiveQuoteEvidence(tx, below, limit);
}
