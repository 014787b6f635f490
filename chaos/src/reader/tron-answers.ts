// Asks a Tron node and reads its answers for the reader, without any code of the product.

export type Fields = Readonly<Record<string, unknown>>;

export function headerOf(block: unknown): { readonly number: number; readonly time: number } {
  const { number = 0, timestamp } = fieldsOf(fieldsOf(fieldsOf(block)['block_header'])['raw_data']);
  return { number: wholeOf(number), time: Math.floor(wholeOf(timestamp) / 1000) };
}

export async function askSolidity(solidityUrl: string, call: string, body: Fields): Promise<unknown> {
  const response = await fetch(`${solidityUrl}/walletsolidity/${call}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${call} was answered with status ${response.status}`);
  return response.json();
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`no text: ${JSON.stringify(value)}`);
  return value;
}

/** A number that JSON carries exactly. Amounts of a run's payers are far below that bound. */
export function wholeOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw new Error(`no whole number: ${JSON.stringify(value)}`);
  return value;
}
