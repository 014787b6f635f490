// How far each chain was read, how far it is final, and how far its native balances were compared.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { Reader, Tx } from '../postgres/tx.ts';

export interface ChainCursor {
  readonly chain: string;
  /** The first block that was ever accepted; null before it. */
  readonly startNumber: number | null;
  /** The newest accepted block; null before the first. */
  readonly head: KnownBlock | null;
  readonly headTime: number | null;
  readonly finalNumber: number | null;
  readonly finalTime: number | null;
  /** The final block up to which internal transactions are known, because native balances were compared there. */
  readonly searchedNumber: number | null;
  /** Unix seconds. */
  readonly searchedTime: number | null;
  /** Why the chain was stopped for a human to look at; null while it runs. */
  readonly haltedReason: string | null;
  /** For which currencies blocks are read; null where that is not known. */
  readonly currencyIds: readonly number[] | null;
}

interface CursorRow {
  readonly chain: string;
  readonly start_number: number | null;
  readonly head_number: number | null;
  readonly head_hash: string | null;
  readonly head_time: number | null;
  readonly final_number: number | null;
  readonly final_time: number | null;
  readonly searched_number: number | null;
  readonly searched_time: number | null;
  readonly halted_reason: string | null;
  readonly currency_ids: readonly number[] | null;
}

const COLUMNS = `chain, start_number, head_number, head_hash, head_time, final_number, final_time, searched_number,
  searched_time, halted_reason, currency_ids`;

/** All cursors by chain name. */
export async function readCursors(reader: Reader): Promise<ReadonlyMap<string, ChainCursor>> {
  const rows = await reader.read<CursorRow>(`SELECT ${COLUMNS} FROM chain_cursors`, []);
  return new Map(rows.map((row) => [row.chain, toCursor(row)]));
}

/** The cursor of one chain; null before its first use. */
export async function readCursor(reader: Reader, chain: string): Promise<ChainCursor | null> {
  const [row] = await reader.read<CursorRow>(`SELECT ${COLUMNS} FROM chain_cursors WHERE chain = $1`, [
    chain,
  ]);
  return row === undefined ? null : toCursor(row);
}

/** The cursor of one chain, locked until the transaction ends; made on first use. */
export async function lockCursor(tx: Tx, chain: string, nowMs: number): Promise<ChainCursor> {
  const [standing] = await tx.read<CursorRow>(LOCK, [chain]);
  if (standing !== undefined) return toCursor(standing);
  // Insert and lock are two statements, because one statement cannot lock a row that another process has just made.
  await tx.write('INSERT INTO chain_cursors (chain, updated_at_ms) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    chain,
    nowMs,
  ]);
  const [made] = await tx.read<CursorRow>(LOCK, [chain]);
  return toCursor(made ?? emptyRow(chain));
}

const LOCK = `SELECT ${COLUMNS} FROM chain_cursors WHERE chain = $1 FOR UPDATE`;

/** Moves the head; the final height is left as it is. Where nothing was accepted before, the chain starts at `first`. */
export async function moveHead(
  tx: Tx,
  chain: string,
  head: { readonly number: number; readonly hash: string; readonly time: number },
  { first, nowMs }: { readonly first: number; readonly nowMs: number },
): Promise<void> {
  await tx.write(
    `UPDATE chain_cursors SET start_number = coalesce(start_number, $6), head_number = $2, head_hash = $3,
       head_time = $4, updated_at_ms = $5
     WHERE chain = $1`,
    [chain, head.number, head.hash, head.time, nowMs, first],
  );
}

/** Forgets the head: reading begins again at the first block that was ever accepted. */
export async function clearHead(tx: Tx, chain: string, nowMs: number): Promise<void> {
  await tx.write(
    'UPDATE chain_cursors SET head_number = NULL, head_hash = NULL, head_time = NULL, updated_at_ms = $2 WHERE chain = $1',
    [chain, nowMs],
  );
}

/**
 * Raises the final height, which never goes back. False where it is not raised: it is that high already, or a block up
 * to there is not proven.
 */
export async function raiseFinal(
  tx: Tx,
  chain: string,
  final: { readonly number: number; readonly time: number },
): Promise<boolean> {
  const rows = await tx.write(
    `UPDATE chain_cursors SET final_number = $2, final_time = $3
     WHERE chain = $1 AND coalesce(final_number, -1) < $2 AND NOT EXISTS (
       SELECT FROM blocks b
       WHERE b.chain = $1 AND b.number > coalesce(final_number, -1) AND b.number <= $2 AND NOT b.proven)
     RETURNING chain`,
    [chain, final.number, final.time],
  );
  return rows.length > 0;
}

/** Raises the block up to which internal transactions are known, which never goes back. */
export async function raiseSearched(
  tx: Tx,
  chain: string,
  searched: { readonly number: number; readonly time: number },
): Promise<void> {
  await tx.write(
    `UPDATE chain_cursors SET searched_number = $2, searched_time = $3
     WHERE chain = $1 AND coalesce(searched_number, -1) < $2`,
    [chain, searched.number, searched.time],
  );
}

/**
 * Sets the whole cursor to one block by hand: read, final and searched up to there. If blocks below it were skipped,
 * the books are complete only from the next block on. So an older block does not prove that something did not happen.
 */
export async function setCursor(
  tx: Tx,
  chain: string,
  { number, hash, time }: { readonly number: number; readonly hash: string; readonly time: number },
  { isSkipping, nowMs }: { readonly isSkipping: boolean; readonly nowMs: number },
): Promise<void> {
  await tx.write(
    `UPDATE chain_cursors SET start_number = CASE WHEN $6 THEN $2 + 1 ELSE least(start_number, $2 + 1) END, head_number = $2, head_hash = $3,
       head_time = $4, final_number = $2, final_time = $4, searched_number = $2, searched_time = $4, updated_at_ms = $5
     WHERE chain = $1`,
    [chain, number, hash, time, nowMs, isSkipping],
  );
}

/** Sets for which currencies blocks are read from now on. */
export async function setCurrencies(tx: Tx, chain: string, currencyIds: readonly number[]): Promise<void> {
  await tx.write('UPDATE chain_cursors SET currency_ids = $2 WHERE chain = $1', [chain, currencyIds]);
}

/** Stops a chain, or with null lets it run again. */
export async function setHalted(tx: Tx, chain: string, reason: string | null): Promise<void> {
  await tx.write('UPDATE chain_cursors SET halted_reason = $2 WHERE chain = $1', [chain, reason]);
}

/** Whether blocks are read for exactly the currencies of this definition. */
export function isReadFor(
  cursor: Pick<ChainCursor, 'currencyIds'> | null,
  { currencies }: Pick<ChainDefinition, 'currencies'>,
): boolean {
  const noted = new Set(cursor?.currencyIds);
  return (
    cursor !== null &&
    cursor.currencyIds !== null &&
    noted.size === currencies.length &&
    currencies.every(({ currencyId }) => noted.has(currencyId))
  );
}

/** Whether a payment in the currency would be found in the next block. */
export function readsCurrency(cursor: ChainCursor | undefined, currencyId: number): boolean {
  if (cursor === undefined || cursor.head === null) return false;
  return cursor.currencyIds === null || cursor.currencyIds.includes(currencyId);
}

function toCursor(row: CursorRow): ChainCursor {
  return {
    chain: row.chain,
    startNumber: row.start_number,
    head:
      row.head_number === null || row.head_hash === null
        ? null
        : { number: row.head_number, hash: row.head_hash },
    headTime: row.head_time,
    finalNumber: row.final_number,
    finalTime: row.final_time,
    searchedNumber: row.searched_number,
    searchedTime: row.searched_time,
    haltedReason: row.halted_reason,
    currencyIds: row.currency_ids,
  };
}

function emptyRow(chain: string): CursorRow {
  return {
    chain,
    start_number: null,
    head_number: null,
    head_hash: null,
    head_time: null,
    final_number: null,
    final_time: null,
    searched_number: null,
    searched_time: null,
    halted_reason: null,
    currency_ids: null,
  };
}
