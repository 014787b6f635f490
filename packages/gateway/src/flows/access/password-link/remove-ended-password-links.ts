// Removes links to a new password that nobody has opened in time, also those of e-mails without an account.
import type { Tx } from '../../../db/postgres/tx.ts';
import { deleteEndedLinks } from '../../../db/tables/access/mailed-links.ts';

/** More than there are between two rounds. */
const LIMIT = 1_000;

/** Returns how many. */
export function removeEndedPasswordLinks(tx: Tx, nowMs: number): Promise<number> {
  return deleteEndedLinks(tx, 'password_links', nowMs, LIMIT);
}
