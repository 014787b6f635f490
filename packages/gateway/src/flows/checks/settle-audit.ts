// Stores a full audit: its findings replace those from before it began, and the audit goes on from its sums.
import { deleteOtherFindings, insertAuditFindings } from '../../db/tables/books/audit-findings.ts';
import { lockAuditMark } from '../../db/tables/books/audit-marks.ts';
import { addAuditedPostings, replaceAuditedUnits } from '../../db/tables/books/audited-balances.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface SettleAudit {
  readonly findings: readonly string[];
  /** The sum of all postings up to the entry `upTo`, by account, in base units as text. */
  readonly audited: { readonly upTo: number; readonly units: ReadonlyMap<number, string> };
  /** When the full audit began, Unix milliseconds. Findings since then are kept, because it may have missed them. */
  readonly beganMs: number;
  readonly nowMs: number;
}

export async function settleAudit(tx: Tx, { findings, audited, beganMs, nowMs }: SettleAudit): Promise<void> {
  const position = (await lockAuditMark(tx, 'entries')) ?? audited.upTo;
  await replaceAuditedUnits(tx, audited.units);
  // The running audit may have moved past `upTo` meanwhile.
  await addAuditedPostings(tx, audited.upTo, position);
  await insertAuditFindings(tx, findings, nowMs);
  await deleteOtherFindings(tx, findings, beganMs);
}
