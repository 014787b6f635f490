// What each currency number means, pinned when it was first configured.
import type { Reader, Tx } from './tx.ts';

export interface PinnedCurrency {
  readonly currencyId: number;
  readonly chain: string;
  readonly symbol: string;
  /** "" for a main currency. */
  readonly contract: string;
  readonly decimals: number;
}

/** Pins the numbers that are new; the others stay as they were. */
export async function insertCurrencies(tx: Tx, currencies: readonly PinnedCurrency[]): Promise<void> {
  await tx.write(
    `INSERT INTO currencies (currency_id, chain, symbol, contract, decimals)
     SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::integer[]) ON CONFLICT DO NOTHING`,
    [
      currencies.map((currency) => currency.currencyId),
      currencies.map((currency) => currency.chain),
      currencies.map((currency) => currency.symbol),
      currencies.map((currency) => currency.contract),
      currencies.map((currency) => currency.decimals),
    ],
  );
}

export async function readCurrencies(reader: Reader): Promise<readonly PinnedCurrency[]> {
  return reader.read<PinnedCurrency>(
    `SELECT currency_id AS "currencyId", chain, symbol, contract, decimals FROM currencies ORDER BY currency_id`,
    [],
  );
}

/** Numbers that an unpaid order or a transfer that is not final yet still depends on. */
export async function readCurrenciesInUse(reader: Reader): Promise<ReadonlySet<number>> {
  const rows = await reader.read<{ currency_id: number }>(
    `SELECT DISTINCT currency_id FROM orders WHERE status = 'TO-BE-PAID'
     UNION SELECT DISTINCT currency_id FROM transfers WHERE state = 'seen'`,
    [],
  );
  return new Set(rows.map((row) => row.currency_id));
}
