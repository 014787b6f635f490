// The sides of the entries (received, fee, paid out, network charge) for the lines of a statement.
import { type EntrySides, readEntrySides } from '../../../db/reports/dashboard/money/entry-sides.ts';
import type { StatementLine } from '../../../db/reports/dashboard/money/statement.ts';
import type { Reader } from '../../../db/postgres/tx.ts';
import type { Texts } from '../texts.ts';

/**
 * The sides of an entry stand with the first of its lines, so that columns add up; null for the other lines. The reader
 * must not be walled, because row-level security hides these postings. The lines themselves were read by a walled reader.
 */
export async function readLineSides(
  reader: Reader,
  lines: readonly StatementLine[],
): Promise<(line: StatementLine) => EntrySides | null> {
  const firstOf = new Map<number, StatementLine>();
  for (const line of lines) if (!firstOf.has(line.entryId)) firstOf.set(line.entryId, line);
  const [first] = lines;
  if (first === undefined) return () => null;
  const sides = await readEntrySides(reader, first.amount.currencyId, [...firstOf.keys()]);
  return (line) => (firstOf.get(line.entryId) === line ? (sides.get(line.entryId) ?? null) : null);
}

export function sideTexts(
  { received, fee, paidOut, networkCharge }: EntrySides,
  { amount }: Pick<Texts, 'amount'>,
) {
  return {
    received: amount(received),
    fee: amount(fee),
    paid_out: amount(paidOut),
    network_charge: amount(networkCharge),
  };
}
