// Removes password links that were not opened in time, also those of e-mails without an account.
import type { Tx } from '../../../db/postgres/tx.ts';
import { deleteEndedLinks } from '../../../db/tables/access/mailed-links.ts';

/** The most links that one call deletes, which is more than expire between two rounds. */
const LIMIT = 1_000;

/** Returns how many links were removed. */
export function removeEndedPasswordLinks(tx: Tx, nowMs: number): Promise<number> {
  return deleteEndedLinks(tx, 'password_links', nowMs, LIMIT);
}
