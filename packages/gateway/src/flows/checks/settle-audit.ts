// A full audit was made: what it found stands, what was found before it began is forgotten, and the audit goes on from its sums.
import { deleteOtherFindings, insertAuditFindings } from '../../db/tables/books/audit-findings.ts';
import { lockAuditMark } from '../../db/tables/books/audit-marks.ts';
import { addAuditedPostings, replaceAuditedUnits } from '../../db/tables/books/audited-balances.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface SettleAudit {
  readonly findings: readonly string[];
  /** What the postings up to an entry come to, by account in base units as text. */
  readonly audited: { readonly upTo: number; readonly units: ReadonlyMap<number, string> };
  /** When it began, Unix milliseconds: what was found since may lie behind where it had looked. */
  readonly beganMs: number;
  readonly nowMs: number;
}

export async function settleAudit(tx: Tx, { findings, audited, beganMs, nowMs }: SettleAudit): Promise<void> {
  const position = (await lockAuditMark(tx, 'entries')) ?? audited.upTo;
  await replaceAuditedUnits(tx, audited.units);
  // The audit may have gone on meanwhile.
  await addAuditedPostings(tx, audited.upTo, position);
  await insertAuditFindings(tx, findings, nowMs);
  await deleteOtherFindings(tx, findings, beganMs);
}
