// What apps own by currency, and why some of it cannot be moved, by address.
import { type Balance, balanceOf, type Stuck } from '@ducat/core/ledger/balance';
import { type AccountKind } from '@ducat/core/ledger/account';
import { type Amount, zero } from '@ducat/core/money/amount';
import type { Reader } from '../../../postgres/tx.ts';
import { fromNumeric } from '../../../tables/amounts.ts';
import { readStuck } from '../../../tables/collections/stuck.ts';

export interface AppBalance extends Balance {
  readonly appId: string;
  readonly currencyId: number;
  readonly bound: Amount;
  readonly unassigned: Amount;
  readonly stuck: Stuck;
}

interface AccountRow {
  readonly kind: AccountKind;
  readonly owner: string;
  readonly currency_id: number;
  readonly balance: string;
}

/** All currencies that the apps ever had. Their accounts are few. */
export async function readAppBalances(
  reader: Reader,
  appIds: readonly string[],
): Promise<readonly AppBalance[]> {
  const rows = await reader.read<AccountRow>(
    `SELECT kind, owner, currency_id, balance FROM accounts
     WHERE kind IN ('available', 'frozen', 'unassigned') AND owner = ANY ($1::text[])
     ORDER BY owner, currency_id`,
    [appIds],
  );
  const balances: AppBalance[] = [];
  for (const appId of appIds) {
    const own = rows.filter(({ owner }) => owner === appId);
    if (own.length === 0) continue;
    const stuck = await readStuck(reader, appId);
    for (const currencyId of new Set(own.map((row) => row.currency_id))) {
      const accounts = own.filter((row) => row.currency_id === currencyId);
      const none = { small: zero(currencyId), frozen: zero(currencyId) };
      balances.push(balanceFrom(appId, currencyId, accounts, stuck.get(currencyId) ?? none));
    }
  }
  return balances;
}

function balanceFrom(
  appId: string,
  currencyId: number,
  rows: readonly AccountRow[],
  stuck: Stuck,
): AppBalance {
  const accounts = rows.map(({ kind, balance }) => ({ kind, balance: fromNumeric(currencyId, balance) }));
  const of = (kind: AccountKind) =>
    accounts.find((account) => account.kind === kind)?.balance ?? zero(currencyId);
  return {
    appId,
    currencyId,
    ...balanceOf(currencyId, accounts, stuck),
    bound: of('frozen'),
    unassigned: of('unassigned'),
    stuck,
  };
}

export interface StuckHolding {
  readonly chain: string;
  /** Canonical. */
  readonly address: string;
  readonly amount: Amount;
  readonly state: 'small' | 'frozen';
  readonly reason: string | null;
  readonly sinceMs: number;
}

/** The largest first. */
export async function listStuck(
  reader: Reader,
  appId: string,
  currencyId: number,
  limit: number,
): Promise<readonly StuckHolding[]> {
  const rows = await reader.read<Omit<StuckHolding, 'amount'> & { readonly units: string }>(
    `SELECT h.chain, d.address, h.units, h.state, h.reason, h.since_ms AS "sinceMs"
     FROM holdings h JOIN addresses d USING (address_id)
     WHERE h.app_id = $1 AND h.currency_id = $2 AND h.state IN ('small', 'frozen')
     ORDER BY h.units DESC, d.address LIMIT $3`,
    [appId, currencyId, limit],
  );
  return rows.map(({ units, ...row }) => ({ ...row, amount: fromNumeric(currencyId, units) }));
}
