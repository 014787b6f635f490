// What the search knows of a heading.

/** Its text, its page's title, and its address below /docs. */
export type SearchEntry = readonly [heading: string, page: string, path: string];
