// How far a page of a filter that no index holds looks back, before it says so and leaves the rest to the next page.

/** Rows that a page looks at, over all lists together: those of each app, and of each table where there are two. */
const MOST = 10_000;

/** Of each list. As many as the page may show are looked at in any case. */
export function rowsLookedAt({ lists, limit }: { readonly lists: number; readonly limit: number }): number {
  return Math.max(limit, Math.floor(MOST / Math.max(1, lists)));
}
