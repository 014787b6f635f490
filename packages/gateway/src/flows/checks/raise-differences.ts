// Suspends a currency whose balances differ beyond dust.
import type { Currency } from '@ducat/core/chain/currency';
import { suspendingDifferences } from '@ducat/core/reserves/difference';
import {
  markRaised,
  readDifferences,
  type StandingDifference,
} from '../../db/tables/books/balance-differences.ts';
import { suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { Tx } from '../../db/postgres/tx.ts';
import { mayRecordChecks } from './checks-lease.ts';

/** The reason that merchants and operators read. It names no amounts: these are in the log and in the table only. */
const DIFFERENCE_REASON = 'ledger and chain differ';

/** The most differences that are checked in one transaction; the others follow next time. */
const MOST_DIFFERENCES = 1_000;

export interface RaiseDifferences {
  readonly lease: HeldLease;
  readonly chain: string;
  readonly currency: Currency;
  readonly nowMs: number;
}

export interface RaisedDifferences {
  /** The differences that are raised now; empty where nothing is new beyond dust. */
  readonly raised: readonly StandingDifference[];
  /** True where this call suspended the currency; false where it was suspended before or nothing was raised. */
  readonly isSuspended: boolean;
}

/**
 * A difference suspends the currency once. The operator who resumes the currency has seen the difference, so only a new or
 * a changed difference suspends again. Null where the lease was lost; nothing was written.
 */
export async function raiseDifferences(tx: Tx, raise: RaiseDifferences): Promise<RaisedDifferences | null> {
  const { lease, chain, currency, nowMs } = raise;
  const { currencyId } = currency;
  if (!(await mayRecordChecks(tx, lease))) return null;
  const standing = await readDifferences(tx, { chain, currencyId, isRaised: false, limit: MOST_DIFFERENCES });
  const raised = suspendingDifferences(currency, standing, nowMs);
  if (raised.length === 0) return { raised, isSuspended: false };
  await markRaised(
    tx,
    chain,
    currencyId,
    raised.map(({ addressId }) => addressId),
  );
  return { raised, isSuspended: await suspendCurrency(tx, currencyId, DIFFERENCE_REASON, nowMs) };
}
