// The page of a block explorer about a transaction or an address, by the pattern that the operator configured.

/**
 * Null for what is no pattern of an https address, and where nothing is looked for. What stands in for the place is data of a
 * chain, so no character of it can end the path or lead to another host.
 */
export function explorerPage(pattern: string | null, place: 'tx' | 'address', sought: string): string | null {
  if (pattern === null || sought === '' || !URL.canParse(pattern)) return null;
  // Over http an attacker on the network could change what the explorer shows.
  if (new URL(pattern).protocol !== 'https:') return null;
  return pattern.replaceAll(`{${place}}`, () => encodeURIComponent(sought));
}
