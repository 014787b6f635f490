// Currencies that take no new orders until an operator has looked.
import type { Tx } from '../postgres/tx.ts';

/** Suspends a currency. The first reason is kept; returns whether it was in use before. */
export async function suspendCurrency(
  tx: Tx,
  currencyId: number,
  reason: string,
  nowMs: number,
): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO currency_suspensions (currency_id, reason, since_ms) VALUES ($1, $2, $3)
     ON CONFLICT (currency_id) DO NOTHING RETURNING currency_id`,
    [currencyId, reason, nowMs],
  );
  return rows.length > 0;
}
