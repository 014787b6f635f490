// A heading in the list that the search uses.

/** The heading's text, its page's title, and its address below /docs. */
export type SearchEntry = readonly [heading: string, page: string, path: string];
