// One page by a filter without an index: the rows that match, and how far the page was searched.
import type { Reader, SqlValue } from '../../postgres/tx.ts';

export interface LookThrough {
  /** Selects the matching rows, among the rows of each list that are searched. */
  readonly found: string;
  /**
   * Selects as `floor` the row at which the search of a list stopped; null if none stopped. Of several lists it is the newest
   * such row, or the oldest one where the list goes on to newer rows.
   */
  readonly floor: string;
  /** The column of `found` by which the list is ordered. */
  readonly id: string;
  /** Without it, lists are the newest first. */
  readonly isOldestFirst?: boolean;
  readonly values: readonly SqlValue[];
  readonly limit: number;
}

export interface LookedThrough<Row> {
  readonly rows: readonly Row[];
  /** Set if the page ended before it was full: rows up to this one were searched, those behind it were not. */
  readonly searchedTo: string | null;
}

interface NoRow {
  readonly id: null;
}

/** One statement, because between two of them rows may come and go, and may move to an archive. */
export async function readLookedThrough<Row extends object>(
  reader: Reader,
  { found, floor: floorSql, id, isOldestFirst = false, values, limit }: LookThrough,
): Promise<LookedThrough<Row>> {
  const answered = await reader.read<
    ((Row & { readonly id: string }) | NoRow) & { readonly floor: string | null }
  >(
    `SELECT found.*, found."${id}" AS id, deepest.floor FROM (${floorSql}) AS deepest LEFT JOIN (${found}) AS found ON true
     ORDER BY found."${id}" ${isOldestFirst ? 'ASC' : 'DESC'}`,
    values,
  );
  const floor = answered[0]?.floor ?? null;
  // Rows of a list behind the place where the search of another list stopped belong to the next page.
  const isSearched = (rowId: string) => floor === null || (isOldestFirst ? rowId <= floor : rowId >= floor);
  const rows = answered.flatMap((row) => (row.id !== null && isSearched(row.id) ? [row] : []));
  return { rows, searchedTo: rows.length >= limit ? null : floor };
}
