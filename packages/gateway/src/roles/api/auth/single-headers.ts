// Reads headers as they were sent: a header that came twice is not quietly joined or dropped.

/** The one value of a header; null where it is missing, empty or there more than once. */
export function singleHeader(rawHeaders: readonly string[], name: string): string | null {
  const wanted = name.toLowerCase();
  let found: string | null = null;
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    if (rawHeaders[i]?.toLowerCase() !== wanted) continue;
    if (found !== null) return null;
    found = rawHeaders[i + 1] ?? '';
  }
  return found === '' ? null : found;
}
