// Field names come from outside and end up in messages and logs: this makes them printable and short.

/** The name with control characters replaced, cut to at most 80 characters. */
export function printableName(name: string): string {
  const printable = name.slice(0, 200).replace(/[\p{Cc}\p{Surrogate}]/gu, '?');
  return printable.length <= 80 ? printable : `${printable.slice(0, 77)}...`;
}
