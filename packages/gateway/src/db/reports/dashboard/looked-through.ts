// One page by a filter that no index holds: the rows that fit, and how far back the page has looked.
import type { Reader, SqlValue } from '../../postgres/tx.ts';

export interface LookThrough {
  /** Selects the rows that fit, among as many of each list as are looked at. */
  readonly found: string;
  /** Selects as `floor` the newest of those rows of a list behind which it was not looked any further; null without one. */
  readonly floor: string;
  /** The column of `found` by which the list is ordered. */
  readonly id: string;
  readonly values: readonly SqlValue[];
  readonly limit: number;
}

export interface LookedThrough<Row> {
  readonly rows: readonly Row[];
  /** Where the page ended before it was full: all rows from this one on were looked at, and older ones were not. */
  readonly searchedTo: string | null;
}

interface NoRow {
  readonly id: null;
}

/** One statement: between two of them rows may come and go, and may move to an archive. */
export async function readLookedThrough<Row extends object>(
  reader: Reader,
  { found, floor: floorSql, id, values, limit }: LookThrough,
): Promise<LookedThrough<Row>> {
  const answered = await reader.read<
    ((Row & { readonly id: string }) | NoRow) & { readonly floor: string | null }
  >(
    `SELECT found.*, found."${id}" AS id, deepest.floor FROM (${floorSql}) AS deepest LEFT JOIN (${found}) AS found ON true
     ORDER BY found."${id}" DESC`,
    values,
  );
  const floor = answered[0]?.floor ?? null;
  // What one list has behind the place where another was not looked through any further belongs to the next page.
  const rows = answered.flatMap((row) =>
    row.id !== null && (floor === null || row.id >= floor) ? [row] : [],
  );
  return { rows, searchedTo: rows.length >= limit ? null : floor };
}
