// How many rows a page of a filter without an index searches, before it leaves the rest to the next page.

/** Rows that a page searches in all lists together: one list for each app, and for each table if there are two. */
const MOST = 10_000;

/** Rows to search in each list; never fewer than the page may show. */
export function rowsLookedAt({ lists, limit }: { readonly lists: number; readonly limit: number }): number {
  return Math.max(limit, Math.floor(MOST / Math.max(1, lists)));
}
