// Removes links to a new password that nobody has opened in time, also those of e-mails without an account.
import type { Tx } from '../../../db/postgres/tx.ts';
import { deleteEndedPasswordLinks } from '../../../db/tables/access/links/password-links.ts';

/** More than there are between two rounds. */
const LIMIT = 1_000;

/** Returns how many. */
export function removeEndedPasswordLinks(tx: Tx, nowMs: number): Promise<number> {
  return deleteEndedPasswordLinks(tx, nowMs, LIMIT);
}
