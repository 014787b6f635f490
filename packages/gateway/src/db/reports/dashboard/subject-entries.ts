// The journal entries of a subject, found by their references, each with its postings.
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../../tables/amounts.ts';

export interface StoryEntry {
  readonly entryId: number;
  readonly fact: string;
  readonly reference: string;
  readonly atMs: number;
  readonly postings: readonly {
    readonly kind: string;
    readonly amount: Amount;
  }[];
}

interface Row {
  readonly entry_id: number;
  readonly fact: string;
  readonly reference: string;
  readonly at_ms: number;
  readonly kind: string;
  readonly currency_id: number;
  readonly units: string;
}

/** The facts that are booked about payments, and about payouts. */
export const PAYMENT_FACTS = [
  'deposit',
  'unassigned-receipt',
  'assignment',
  'reversal',
  'reinstatement',
] as const;
export const PAYOUT_FACTS = ['reservation', 'payout', 'release'] as const;

/** The oldest first. Facts and references together select entries by their unique index. */
export async function readSubjectEntries(
  reader: Reader,
  facts: readonly string[],
  references: readonly string[],
): Promise<readonly StoryEntry[]> {
  if (references.length === 0) return [];
  const rows = await reader.read<Row>(
    `SELECT e.entry_id, e.fact, e.reference, e.at_ms, a.kind, p.currency_id, p.units
     FROM entries e JOIN postings p USING (entry_id) JOIN accounts a USING (account_id)
     WHERE e.fact = ANY ($1::text[]) AND e.reference = ANY ($2::text[])
     ORDER BY e.entry_id, p.units, a.kind`,
    [facts, references],
  );
  const byId = new Map<number, Row[]>();
  for (const row of rows) byId.set(row.entry_id, [...(byId.get(row.entry_id) ?? []), row]);
  return [...byId.values()].flatMap((ofEntry) => {
    const [first] = ofEntry;
    if (first === undefined) return [];
    const { entry_id: entryId, fact, reference, at_ms: atMs } = first;
    const postings = ofEntry.map(({ kind, currency_id, units }) => ({
      kind,
      amount: fromNumeric(currency_id, units),
    }));
    return [{ entryId, fact, reference, atMs, postings }];
  });
}
