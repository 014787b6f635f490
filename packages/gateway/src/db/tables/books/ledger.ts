// The journal: entries with their postings, and the balances they make.
import { assert } from '@ducat/core/assert';
import {
  type Account,
  type AccountKind,
  availableOf,
  frozenOf,
  unassignedOf,
} from '@ducat/core/ledger/account';
import { type Balance, balanceOf } from '@ducat/core/ledger/balance';
import type { Entry, Posting } from '@ducat/core/ledger/entry';
import type { Amount } from '@ducat/core/money/amount';
import { readStuck } from '../collections/stuck.ts';
import { fromNumeric, toNumeric } from '../amounts.ts';
import type { Reader, Tx } from '../../postgres/tx.ts';

/**
 * Writes entries with their postings. A fact that was booked before breaks `entries_fact_reference_key`.
 * Balance rows are made first and then locked in one order, as two statements, so that two flows that meet on a
 * new account cannot both believe it empty.
 */
export async function insertEntries(tx: Tx, entries: readonly Entry[], nowMs: number): Promise<void> {
  if (entries.length === 0) return;
  const postings = entries.flatMap((entry) => entry.postings.map((posting) => ({ entry, posting })));
  await lockAccounts(
    tx,
    postings.map(({ posting }) => ({ ...posting.account, currencyId: posting.amount.currencyId })),
  );
  await tx.write(
    'INSERT INTO entries (fact, reference, at_ms) SELECT fact, reference, $3 FROM unnest($1::text[], $2::text[]) AS e (fact, reference)',
    [entries.map((entry) => entry.fact), entries.map((entry) => entry.reference), nowMs],
  );
  await insertPostings(tx, postings);
}

/**
 * The operable balance of an app, as account/balance shows it. Its available and frozen accounts are locked until the
 * transaction ends, because a payout is booked on both.
 */
export async function lockOperable(tx: Tx, appId: string, currencyId: number): Promise<Amount> {
  await lockAccounts(
    tx,
    [availableOf(appId), frozenOf(appId)].map((account) => ({ ...account, currencyId })),
  );
  const balance = (await readBalances(tx, appId)).get(currencyId);
  assert(balance !== undefined, 'an account that was locked is there');
  return balance.operable;
}

/**
 * Locks the accounts of an app until the transaction ends, and makes the missing ones. Entries get their numbers under
 * these locks, so every later entry on these accounts has a higher number. False if the app never had the currency.
 */
export async function lockAppAccounts(tx: Tx, appId: string, currencyId: number): Promise<boolean> {
  const kinds = [availableOf(appId), frozenOf(appId), unassignedOf(appId)];
  const [known] = await tx.read(
    `SELECT FROM accounts WHERE owner = $1 AND currency_id = $2 AND kind = ANY ($3::text[]) LIMIT 1`,
    [appId, currencyId, kinds.map(({ kind }) => kind)],
  );
  if (known === undefined) return false;
  await lockAccounts(
    tx,
    kinds.map((account) => ({ ...account, currencyId })),
  );
  return true;
}

interface AccountKey extends Account {
  readonly currencyId: number;
}

/** Makes the accounts that are not there yet, and locks all of them in one order. */
async function lockAccounts(tx: Tx, accounts: readonly AccountKey[]): Promise<void> {
  const keys = [
    accounts.map(({ kind }) => kind),
    accounts.map(({ owner }) => owner),
    accounts.map(({ currencyId }) => currencyId),
  ];
  await tx.write(
    `INSERT INTO accounts (kind, owner, currency_id)
     SELECT DISTINCT * FROM unnest($1::text[], $2::text[], $3::integer[]) ON CONFLICT DO NOTHING`,
    keys,
  );
  await tx.read(
    `SELECT FROM accounts
     WHERE (kind, owner, currency_id) IN (SELECT * FROM unnest($1::text[], $2::text[], $3::integer[]))
     ORDER BY account_id FOR UPDATE`,
    keys,
  );
}

interface EntryPosting {
  readonly entry: Entry;
  readonly posting: Posting;
}

async function insertPostings(tx: Tx, postings: readonly EntryPosting[]): Promise<void> {
  const rows = await tx.write<{ written: number }>(
    `WITH written AS (
       INSERT INTO postings (entry_id, account_id, currency_id, units)
       SELECT e.entry_id, a.account_id, p.currency_id, p.units
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::numeric[])
         AS p (fact, reference, kind, owner, currency_id, units)
       JOIN entries e USING (fact, reference) JOIN accounts a USING (kind, owner, currency_id)
       RETURNING 1
     ) SELECT count(*) AS written FROM written`,
    [
      postings.map(({ entry }) => entry.fact),
      postings.map(({ entry }) => entry.reference),
      postings.map(({ posting }) => posting.account.kind),
      postings.map(({ posting }) => posting.account.owner),
      postings.map(({ posting }) => posting.amount.currencyId),
      postings.map(({ posting }) => toNumeric(posting.amount)),
    ],
  );
  assert(rows[0]?.written === postings.length, 'every posting found its entry and its account');
}

interface AccountRow {
  readonly kind: AccountKind;
  readonly owner: string;
  readonly currency_id: number;
  readonly balance: string;
}

/** What an app owns, by currency; currencies it never had are not in the map. */
export async function readBalances(reader: Reader, appId: string): Promise<ReadonlyMap<number, Balance>> {
  const rows = await reader.read<AccountRow>(
    `SELECT kind, owner, currency_id, balance FROM accounts
     WHERE owner = $1 AND kind IN ('available', 'frozen', 'unassigned')`,
    [appId],
  );
  const stuck = await readStuck(reader, appId);
  const currencyIds = new Set(rows.map((row) => row.currency_id));
  return new Map(
    [...currencyIds].map((currencyId) => {
      const accounts = rows.filter((row) => row.currency_id === currencyId).map(toAccount);
      return [currencyId, balanceOf(currencyId, accounts, stuck.get(currencyId))];
    }),
  );
}

function toAccount(row: AccountRow): { readonly kind: AccountKind; readonly balance: Amount } {
  return { kind: row.kind, balance: fromNumeric(row.currency_id, row.balance) };
}
