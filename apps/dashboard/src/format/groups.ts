// Long identifiers in a form that eyes can compare.

/** TQ5n8s2k...: in fours, as a person reads an address aloud. */
export function inGroups(text: string): readonly string[] {
  return text.match(/.{1,4}/g) ?? [];
}

/** The beginning and the end of an identifier that is too long for a row. */
export function shorten(text: string, head = 6, tail = 4): string {
  return text.length <= head + tail + 1 ? text : `${text.slice(0, head)}…${text.slice(-tail)}`;
}
