// Makes field names printable and short, because they come from outside and appear in messages and logs.

/** The name with control characters replaced, cut to at most 80 characters. */
export function printableName(name: string): string {
  const printable = name.slice(0, 200).replace(/[\p{Cc}\p{Surrogate}]/gu, '?');
  return printable.length <= 80 ? printable : `${printable.slice(0, 77)}...`;
}
