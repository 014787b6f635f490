// Removes sign-ups whose link was not opened in time, and with them the e-mails of people who may never have asked.
import type { Tx } from '../../../db/postgres/tx.ts';
import { deleteEndedLinks } from '../../../db/tables/access/mailed-links.ts';

/** The most sign-ups that one transaction deletes; the next round deletes more. */
const LIMIT = 1_000;

/** Returns how many sign-ups were removed. */
export function removeEndedSignUps(tx: Tx, nowMs: number): Promise<number> {
  return deleteEndedLinks(tx, 'sign_ups', nowMs, LIMIT);
}
