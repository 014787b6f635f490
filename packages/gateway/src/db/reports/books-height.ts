// Up to which block the books of a chain are complete, and what they hold there.
import type { Reader } from '../postgres/tx.ts';

export interface BooksBlock {
  readonly number: number;
  readonly hash: string;
}

export interface BooksHeight {
  /** Everything but internal transactions is booked up to this block; null before anything is final. */
  readonly final: BooksBlock | null;
  /** Internal transactions, and with them the native currency, are booked up to this block; null before the first search. */
  readonly searched: BooksBlock | null;
  /** Why the chain was halted; null while it runs. */
  readonly haltedReason: string | null;
}

interface HeightRow {
  readonly number: number;
  readonly hash: string;
  readonly searched_number: number | null;
  readonly searched_hash: string | null;
  readonly halted_reason: string | null;
}

/** One statement, so that all of it belongs to one moment. */
export async function readBooksHeight(reader: Reader, chain: string): Promise<BooksHeight> {
  const [row] = await reader.read<Partial<HeightRow>>(
    `SELECT f.number, f.hash, s.number AS searched_number, s.hash AS searched_hash, c.halted_reason
     FROM chain_cursors c LEFT JOIN blocks f ON f.chain = c.chain AND f.number = c.final_number
     LEFT JOIN blocks s ON s.chain = c.chain AND s.number = c.searched_number
     WHERE c.chain = $1`,
    [chain],
  );
  return {
    final: blockOf(row?.number, row?.hash),
    searched: blockOf(row?.searched_number, row?.searched_hash),
    haltedReason: row?.halted_reason ?? null,
  };
}

function blockOf(number: number | null | undefined, hash: string | null | undefined): BooksBlock | null {
  const isKnown = typeof number === 'number' && typeof hash === 'string';
  return isKnown ? { number, hash } : null;
}

/** Currencies of which any wallet on a chain holds something, by the books. */
export async function readHeldCurrencies(reader: Reader, chain: string): Promise<ReadonlySet<number>> {
  const rows = await reader.read<{ currency_id: number }>(
    `SELECT DISTINCT currency_id FROM accounts
     WHERE kind = 'custody' AND (owner = $1 OR starts_with(owner, $1 || '/')) AND balance <> 0`,
    [chain],
  );
  return new Set(rows.map((row) => row.currency_id));
}
