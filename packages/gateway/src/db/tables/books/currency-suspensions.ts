// Currencies that are suspended until an operator resumes them.
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface CurrencySuspension {
  readonly currencyId: number;
  readonly reason: string;
  /** Unix milliseconds. */
  readonly sinceMs: number;
}

/** All of them, by currency. */
export async function readSuspensions(reader: Reader): Promise<readonly CurrencySuspension[]> {
  return reader.read<CurrencySuspension>(
    'SELECT currency_id AS "currencyId", reason, since_ms AS "sinceMs" FROM currency_suspensions ORDER BY currency_id',
    [],
  );
}

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

/** Lets a currency be used again; returns whether it was suspended. */
export async function resumeCurrency(tx: Tx, currencyId: number): Promise<boolean> {
  const rows = await tx.write(
    'DELETE FROM currency_suspensions WHERE currency_id = $1 RETURNING currency_id',
    [currencyId],
  );
  return rows.length > 0;
}
