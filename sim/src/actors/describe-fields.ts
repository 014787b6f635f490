// The fields of a log line as text for the story of a run.

/** Fields of a log line without what differs from run to run. */
export function describeFields(fields: object): string {
  const plain = Object.entries(fields).map(([key, value]: [string, unknown]) => {
    if (value instanceof Error) return `${key}=${value.name}: ${value.message}`;
    return `${key}=${JSON.stringify(value)}`;
  });
  // Hashes say nothing to a reader beyond their first digits.
  return plain.join(' ').replaceAll(/0x([0-9a-f]{8})[0-9a-f]{32,}/g, '0x$1');
}
