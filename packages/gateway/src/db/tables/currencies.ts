// What each currency number means, pinned when it was first configured.
import type { Reader, Tx } from '../postgres/tx.ts';

export interface PinnedCurrency {
  readonly currencyId: number;
  readonly chain: string;
  readonly symbol: string;
  /** "" for a native currency. */
  readonly contract: string;
  readonly decimals: number;
}

/**
 * Pins the meaning of these numbers. The caller has made sure that no other meaning was used. The prices of another
 * meaning are deleted.
 */
export async function pin(tx: Tx, currencies: readonly PinnedCurrency[]): Promise<void> {
  await tx.write(
    `WITH now AS (
       SELECT * FROM unnest($1::integer[], $2::text[], $3::text[], $4::text[], $5::integer[])
         AS now (currency_id, chain, symbol, contract, decimals)
     ), gone AS (
       DELETE FROM price_history p USING currencies c JOIN now USING (currency_id)
       WHERE p.currency_id = c.currency_id AND (c.chain, c.contract) <> (now.chain, now.contract)
     )
     INSERT INTO currencies (currency_id, chain, symbol, contract, decimals) SELECT * FROM now
     ON CONFLICT (currency_id) DO UPDATE SET chain = excluded.chain, symbol = excluded.symbol,
       contract = excluded.contract, decimals = excluded.decimals`,
    [
      currencies.map((currency) => currency.currencyId),
      currencies.map((currency) => currency.chain),
      currencies.map((currency) => currency.symbol),
      currencies.map((currency) => currency.contract),
      currencies.map((currency) => currency.decimals),
    ],
  );
}

/**
 * Pins a number for a chain's coin or contract that has no other number. The caller has made sure that the number was
 * not used. False if the number means something else; then nothing is written. Concurrent calls wait for each other.
 */
export async function pinUnused(tx: Tx, currency: PinnedCurrency): Promise<boolean> {
  const { currencyId, chain, symbol, contract, decimals } = currency;
  await tx.write('LOCK TABLE currencies IN SHARE ROW EXCLUSIVE MODE', []);
  const rows = await tx.write(
    `INSERT INTO currencies (currency_id, chain, symbol, contract, decimals)
     SELECT $1, $2, $3, $4, $5
     WHERE NOT EXISTS (SELECT FROM currencies WHERE chain = $2 AND contract = $4 AND currency_id <> $1)
     ON CONFLICT (currency_id) DO UPDATE SET symbol = excluded.symbol, decimals = excluded.decimals
       WHERE currencies.chain = excluded.chain AND currencies.contract = excluded.contract
     RETURNING currency_id`,
    [currencyId, chain, symbol, contract, decimals],
  );
  return rows.length > 0;
}

/** The numbers of a chain's currencies, or only the one of a token. */
export async function readPinnedOf(
  reader: Reader,
  { chain, currencyId }: { readonly chain: string; readonly currencyId: number | null },
): Promise<readonly number[]> {
  const pinned = await readCurrencies(reader);
  const ids = pinned.filter((one) => one.chain === chain).map((one) => one.currencyId);
  return currencyId === null ? ids : ids.filter((id) => id === currencyId);
}

/** Which of these currencies were ever used by a row of these tables. Scans whole tables for a currency that was not. */
export async function readUsed(reader: Reader, currencyIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (currencyIds.length === 0) return new Set();
  const tables = ['accounts', 'qr_codes', 'orders', 'transfers', 'payouts', 'outgoing_transactions'];
  const used = tables.map((table) => `EXISTS (SELECT FROM ${table} t WHERE t.currency_id = c.id)`);
  const rows = await reader.read<{ id: number }>(
    `SELECT id FROM unnest($1::integer[]) AS c (id) WHERE ${used.join(' OR ')}`,
    [currencyIds],
  );
  return new Set(rows.map(({ id }) => id));
}

export async function readCurrencies(reader: Reader): Promise<readonly PinnedCurrency[]> {
  return reader.read<PinnedCurrency>(
    `SELECT currency_id AS "currencyId", chain, symbol, contract, decimals FROM currencies ORDER BY currency_id`,
    [],
  );
}

export interface CurrencyUse {
  /** An unpaid order or a transfer that is not final yet still depends on these. */
  readonly waiting: ReadonlySet<number>;
  /** Outgoing transactions that have not ended move these. */
  readonly leaving: ReadonlySet<number>;
  /** An order, a transfer, an account or a QR code ever had one of these. */
  readonly ever: ReadonlySet<number>;
}

/** Called once at start, so it may scan whole tables. */
export async function readCurrencyUse(reader: Reader): Promise<CurrencyUse> {
  const rows = await reader.read<{ currency_id: number; waits: boolean }>(
    `SELECT currency_id, bool_or(status = 'TO-BE-PAID') AS waits FROM orders GROUP BY currency_id
     UNION ALL SELECT currency_id, bool_or(state IN ('seen', 'proposed')) FROM transfers GROUP BY currency_id
     UNION ALL SELECT DISTINCT currency_id, false FROM accounts
     UNION ALL SELECT DISTINCT currency_id, false FROM qr_codes`,
    [],
  );
  const leaving = await reader.read<{ currency_id: number }>(
    'SELECT DISTINCT currency_id FROM outgoing_transactions WHERE next_at_ms IS NOT NULL',
    [],
  );
  return {
    waiting: new Set(rows.filter(({ waits }) => waits).map((row) => row.currency_id)),
    leaving: new Set(leaving.map((row) => row.currency_id)),
    ever: new Set(rows.map((row) => row.currency_id)),
  };
}
