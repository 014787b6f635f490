// Records that a stretch of the books was audited: keeps its findings, and moves the audit mark to its end.
import { insertAuditFindings } from '../../db/tables/books/audit-findings.ts';
import { lockAuditMark, moveAuditMark, noteNewestEntry } from '../../db/tables/books/audit-marks.ts';
import { addAuditedPostings } from '../../db/tables/books/audited-balances.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

/** A range of entries, the transfers of a chain up to a block, or rows that have no order in time. */
export type AuditedStretch =
  | { readonly kind: 'entries'; readonly after: number; readonly upTo: number }
  | { readonly kind: 'transfers'; readonly mark: string; readonly upTo: number }
  | { readonly kind: 'state' };

export interface RecordAudit {
  readonly lease: HeldLease;
  readonly stretch: AuditedStretch;
  readonly findings: readonly string[];
  readonly nowMs: number;
}

/** The new findings; null where the lease was lost or another audit moved the mark meanwhile. Nothing was written then. */
export async function recordAudit(
  tx: Tx,
  { lease, stretch, findings, nowMs }: RecordAudit,
): Promise<readonly string[] | null> {
  if (!(await mayRecordChecks(tx, lease))) return null;
  if (stretch.kind === 'entries') {
    if ((await lockAuditMark(tx, 'entries')) !== stretch.after) return null;
    await addAuditedPostings(tx, stretch.after, stretch.upTo);
    await moveAuditMark(tx, 'entries', stretch.upTo, nowMs);
    await noteNewestEntry(tx, nowMs);
  }
  if (stretch.kind === 'transfers') await moveAuditMark(tx, stretch.mark, stretch.upTo, nowMs);
  return insertAuditFindings(tx, findings, nowMs);
}
