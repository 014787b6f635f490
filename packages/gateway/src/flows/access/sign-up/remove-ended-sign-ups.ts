// Removes sign-ups whose link nobody has opened in time, and with them the e-mails of people who may never have asked.
import type { Tx } from '../../../db/postgres/tx.ts';
import { deleteEndedLinks } from '../../../db/tables/access/mailed-links.ts';

/** What one transaction deletes at the most; the rest is for the next round. */
const LIMIT = 1_000;

/** Returns how many. */
export function removeEndedSignUps(tx: Tx, nowMs: number): Promise<number> {
  return deleteEndedLinks(tx, 'sign_ups', nowMs, LIMIT);
}
