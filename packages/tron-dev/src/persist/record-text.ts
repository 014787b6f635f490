// One line of the state file: JSON that keeps integers of any size.

/** Marks a text that encodes an integer. No name or hex text begins with it. */
const mark = '\u0001';

export function writeRecord(record: unknown): string {
  return JSON.stringify(record, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${mark}${value}` : value,
  );
}

/** Throws on text that is no complete record. */
export function readRecord(line: string): unknown {
  return JSON.parse(line, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value,
  );
}
