// What a receipt brought by its entries, and what its app has and owes: the ground of a reversal.
import type { AccountKind } from '@ducat/core/ledger/account';
import type { Posting } from '@ducat/core/ledger/entry';
import { transferReference } from '@ducat/core/ledger/recipes';
import type { Credited } from '@ducat/core/ledger/reversal';
import { add, type Amount, negate, zero } from '@ducat/core/money/amount';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';

/** The facts by which a receipt is booked. */
const RECEIPT_FACTS = ['deposit', 'unassigned-receipt', 'assignment'];

/** What the receipt brought since it was booked, an assignment included. */
export async function readCredited(reader: Reader, receipt: Transfer): Promise<Credited> {
  const postings = await readPostings(reader, RECEIPT_FACTS, transferReference(receipt));
  const sum = (kind: AccountKind): Amount =>
    postings
      .filter(({ account }) => account.kind === kind)
      .reduce((total, { amount }) => add(total, amount), zero(receipt.amount.currencyId));
  return { available: sum('available'), unassigned: sum('unassigned'), fee: sum('fee') };
}

/** The postings of the entries with these facts and this reference. */
export async function readPostings(
  reader: Reader,
  facts: readonly string[],
  reference: string,
): Promise<readonly Posting[]> {
  const rows = await reader.read<{
    readonly kind: AccountKind;
    readonly owner: string;
    readonly currency_id: number;
    readonly units: string;
  }>(
    `SELECT a.kind, a.owner, p.currency_id, p.units::text AS units
     FROM entries e JOIN postings p USING (entry_id) JOIN accounts a USING (account_id)
     WHERE e.fact = ANY ($1::text[]) AND e.reference = $2 ORDER BY p.entry_id, a.account_id`,
    [facts, reference],
  );
  return rows.map(({ kind, owner, currency_id: currencyId, units }) => ({
    account: { kind, owner },
    amount: fromNumeric(currencyId, units),
  }));
}

/** The available balance of an app, locked until the transaction ends; zero for the gateway itself. */
export function lockAvailable(tx: Tx, appId: string | null, currencyId: number): Promise<Amount> {
  return lockBalance(tx, 'available', appId, currencyId);
}

/** What an app owes after reversals, not negative, locked until the transaction ends. */
export async function lockOwed(tx: Tx, appId: string | null, currencyId: number): Promise<Amount> {
  return negate(await lockBalance(tx, 'receivable', appId, currencyId));
}

async function lockBalance(
  tx: Tx,
  kind: 'available' | 'receivable',
  appId: string | null,
  currencyId: number,
): Promise<Amount> {
  const [row] = await tx.read<{ readonly balance: string }>(
    `SELECT balance::text AS balance FROM accounts
     WHERE kind = $1 AND owner = $2 AND currency_id = $3 FOR UPDATE`,
    [kind, appId, currencyId],
  );
  return fromNumeric(currencyId, row?.balance ?? '0');
}

export interface Debt {
  readonly appId: string;
  /** Positive. */
  readonly amount: Amount;
}

/** What apps owe after reversals, by app and currency. */
export async function listDebts(reader: Reader): Promise<readonly Debt[]> {
  const rows = await reader.read<{
    readonly owner: string;
    readonly currency_id: number;
    readonly units: string;
  }>(
    `SELECT owner, currency_id, (-balance)::text AS units FROM accounts
     WHERE kind = 'receivable' AND balance < 0 ORDER BY owner, currency_id`,
    [],
  );
  return rows.map(({ owner, currency_id, units }) => ({
    appId: owner,
    amount: fromNumeric(currency_id, units),
  }));
}
