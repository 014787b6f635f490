// An operator suspends a currency.
import { suspendCurrency } from '../../db/tables/books/currency-suspensions.ts';
import type { Tx } from '../../db/postgres/tx.ts';

export interface SuspendByHand {
  readonly currencyId: number;
  /** Merchants read the reason in the refusal of order/create. */
  readonly reason: string;
  readonly nowMs: number;
}

/** False where the currency was suspended before; its first reason is kept. */
export function suspendByHand(tx: Tx, { currencyId, reason, nowMs }: SuspendByHand): Promise<boolean> {
  return suspendCurrency(tx, currencyId, reason, nowMs);
}
