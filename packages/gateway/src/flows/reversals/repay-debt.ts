// An operator books what an app owes after a reversal against what the app has since received.
import { bookRepayment } from '@ducat/core/ledger/reversal';
import { type Amount, compare, isPositive } from '@ducat/core/money/amount';
import type { Tx } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { lockAvailable, lockOwed } from '../../db/tables/books/reversal-entries.ts';

export interface RepayDebt {
  readonly appId: string;
  readonly currencyId: number;
  /** Who decided it, and why: kept in the audit log. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export type RepaidDebt =
  | { readonly outcome: 'repaid'; readonly amount: Amount }
  /** The app owes nothing in this currency. */
  | { readonly outcome: 'nothing-owed' }
  /** The app has nothing available in this currency. */
  | { readonly outcome: 'nothing-available' };

/** Takes what is available, and no more than is owed. */
export async function repayDebt(tx: Tx, input: RepayDebt): Promise<RepaidDebt> {
  const { appId, currencyId, by, reason, nowMs } = input;
  const has = await lockAvailable(tx, appId, currencyId);
  const owed = await lockOwed(tx, appId, currencyId);
  if (!isPositive(owed)) return { outcome: 'nothing-owed' };
  if (!isPositive(has)) return { outcome: 'nothing-available' };
  const amount = compare(has, owed) < 0 ? has : owed;
  // An app is locked while it repays, so it repays once in a millisecond at most.
  const reference = `${appId}/${currencyId}/${nowMs}`;
  await insertEntries(tx, [bookRepayment(reference, appId, amount)], nowMs);
  await appendAuditEntry(tx, {
    atMs: nowMs,
    personId: null,
    operation: 'app.repay',
    merchantId: null,
    subject: appId,
    detail: `${reference}, by ${by}: ${reason}`,
    address: '',
  });
  return { outcome: 'repaid', amount };
}
