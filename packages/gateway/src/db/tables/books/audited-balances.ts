// The sum of the audited postings of each account. Its balance is kept apart, because it changes with every posting.
import type { Reader, Tx } from '../../postgres/tx.ts';

/** The sums by account, in base units as text, without accounts that have no audited postings. */
export async function readAuditedUnits(
  reader: Reader,
  accountIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await reader.read<{ account_id: number; units: string }>(
    'SELECT account_id, units::text AS units FROM audited_balances WHERE account_id = ANY($1::bigint[])',
    [accountIds],
  );
  return new Map(rows.map((row) => [row.account_id, row.units]));
}

/** Adds the postings of the entries above `after`, up to `upTo`. */
export async function addAuditedPostings(tx: Tx, after: number, upTo: number): Promise<void> {
  await tx.write(
    `INSERT INTO audited_balances AS b (account_id, units)
     SELECT account_id, sum(units) FROM postings WHERE entry_id > $1 AND entry_id <= $2 GROUP BY account_id
     ON CONFLICT (account_id) DO UPDATE SET units = b.units + excluded.units`,
    [after, upTo],
  );
}

/** Replaces all sums. */
export async function replaceAuditedUnits(tx: Tx, units: ReadonlyMap<number, string>): Promise<void> {
  await tx.write('DELETE FROM audited_balances', []);
  await tx.write(`INSERT INTO audited_balances SELECT * FROM unnest($1::bigint[], $2::numeric[])`, [
    [...units.keys()],
    [...units.values()],
  ]);
}
