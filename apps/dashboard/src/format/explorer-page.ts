// The page of a block explorer about a transaction or an address, by the pattern that the operator configured.

/**
 * Null where the pattern is no https address, or nothing is looked for. The sought text is data of a chain. It is encoded,
 * so that no character of it can end the path or lead to another host.
 */
export function explorerPage(pattern: string | null, place: 'tx' | 'address', sought: string): string | null {
  if (pattern === null || sought === '' || !URL.canParse(pattern)) return null;
  // Over http an attacker on the network could change what the explorer shows.
  if (new URL(pattern).protocol !== 'https:') return null;
  return pattern.replaceAll(`{${place}}`, () => encodeURIComponent(sought));
}
