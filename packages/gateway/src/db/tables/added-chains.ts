// Chains and tokens that were added on the dashboard, sealed.
import type { Reader, Tx } from '../postgres/tx.ts';

interface Added {
  readonly chain: string;
  readonly sealed: Buffer;
  /** Id of the person. */
  readonly addedBy: string;
  readonly addedAtMs: number;
}

/** Further columns as they are read. The name is the person's present one. */
interface Kept {
  readonly addedByName: string;
  /** Null while the addition is in use. */
  readonly removedAtMs: number | null;
  /** The content before a change, until a start has settled which of the two counts; else null. */
  readonly sealedBefore: Buffer | null;
}

export interface AddedChainRow extends Added {
  readonly chainId: number;
}

export interface AddedTokenRow extends Added {
  readonly currencyId: number;
}

/** False on a database whose schema is older; a start looks before it migrates. */
export async function hasAddedChains(reader: Reader): Promise<boolean> {
  const [row] = await reader.read<{ there: boolean }>(
    `SELECT to_regclass('added_tokens') IS NOT NULL AS there`,
    [],
  );
  return row?.there ?? false;
}

// A start reads before it migrates, so these columns may be missing. JSON shows bytes as \x and hexadecimal digits.
const LATER = (table: string) => `(to_jsonb(${table}) ->> 'removed_at_ms')::bigint AS "removedAtMs",
  decode(substr(to_jsonb(${table}) ->> 'sealed_before', 3), 'hex') AS "sealedBefore"`;

/** The oldest first. */
export function readAddedChains(reader: Reader): Promise<readonly (AddedChainRow & Kept)[]> {
  return reader.read<AddedChainRow & Kept>(
    `SELECT chain, chain_id AS "chainId", sealed, added_by AS "addedBy", added_at_ms AS "addedAtMs",
       p.name AS "addedByName", ${LATER('added_chains')}
     FROM added_chains JOIN people p ON p.person_id = added_by ORDER BY added_at_ms, chain`,
    [],
  );
}

/** The oldest first. */
export function readAddedTokens(reader: Reader): Promise<readonly (AddedTokenRow & Kept)[]> {
  return reader.read<AddedTokenRow & Kept>(
    `SELECT currency_id AS "currencyId", chain, sealed, added_by AS "addedBy", added_at_ms AS "addedAtMs",
       p.name AS "addedByName", ${LATER('added_tokens')}
     FROM added_tokens JOIN people p ON p.person_id = added_by ORDER BY added_at_ms, currency_id`,
    [],
  );
}

/**
 * False if a chain of that name or with that chain id was added before. A removed chain is replaced only by one with
 * the same name and chain id, because the blocks of another chain would not follow those that were read under the name.
 */
export async function insertAddedChain(tx: Tx, row: AddedChainRow): Promise<boolean> {
  await tx.write(
    'DELETE FROM added_chains WHERE removed_at_ms IS NOT NULL AND chain = $1 AND chain_id = $2',
    [row.chain, row.chainId],
  );
  const rows = await tx.write(
    `INSERT INTO added_chains (chain, chain_id, sealed, added_by, added_at_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING chain`,
    [row.chain, row.chainId, row.sealed, row.addedBy, row.addedAtMs],
  );
  return rows.length > 0;
}

/** False if a token with that number is in use. A removed one is replaced. */
export async function insertAddedToken(tx: Tx, row: AddedTokenRow): Promise<boolean> {
  await tx.write('DELETE FROM added_tokens WHERE currency_id = $1 AND removed_at_ms IS NOT NULL', [
    row.currencyId,
  ]);
  const rows = await tx.write(
    `INSERT INTO added_tokens (currency_id, chain, sealed, added_by, added_at_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING currency_id`,
    [row.currencyId, row.chain, row.sealed, row.addedBy, row.addedAtMs],
  );
  return rows.length > 0;
}

/** A chain, or the token of that number. */
export interface AdditionKey {
  readonly chain: string;
  readonly currencyId: number | null;
}

const where = ({ currencyId }: AdditionKey) => ({
  table: currencyId === null ? 'added_chains' : 'added_tokens',
  condition: currencyId === null ? 'chain = $1' : 'chain = $1 AND currency_id = $2',
});

const keyOf = ({ chain, currencyId }: AdditionKey) => (currencyId === null ? [chain] : [chain, currencyId]);

/** Locks an addition that is in use; false if there is none. */
export async function lockAddition(tx: Tx, key: AdditionKey): Promise<boolean> {
  const { table, condition } = where(key);
  const rows = await tx.read(
    `SELECT FROM ${table} WHERE ${condition} AND removed_at_ms IS NULL FOR UPDATE`,
    keyOf(key),
  );
  return rows.length > 0;
}

/** Changes an addition. Its content before stays stored until a start has settled which of the two counts. */
export async function changeSealed(tx: Tx, key: AdditionKey, sealed: Buffer): Promise<void> {
  const { table, condition } = where(key);
  const values = keyOf(key);
  await tx.write(
    `UPDATE ${table} SET sealed_before = coalesce(sealed_before, sealed), sealed = $${values.length + 1}
     WHERE ${condition}`,
    [...values, sealed],
  );
}

/**
 * Settles a change: from now on either the change counts, or the content before it. Does nothing if the addition was
 * changed again since.
 */
export async function settleChange(
  tx: Tx,
  key: AdditionKey,
  changed: Buffer,
  counting: 'changed' | 'before',
): Promise<void> {
  const { table, condition } = where(key);
  const values = keyOf(key);
  const sealed = counting === 'before' ? 'sealed_before' : 'sealed';
  await tx.write(
    `UPDATE ${table} SET sealed = ${sealed}, sealed_before = NULL
     WHERE ${condition} AND sealed_before IS NOT NULL AND sealed = $${values.length + 1}`,
    [...values, changed],
  );
}

/** Marks an addition as removed; null makes it count again. */
export async function setRemoved(tx: Tx, key: AdditionKey, atMs: number | null): Promise<void> {
  const { table, condition } = where(key);
  const values = keyOf(key);
  await tx.write(`UPDATE ${table} SET removed_at_ms = $${values.length + 1} WHERE ${condition}`, [
    ...values,
    atMs,
  ]);
}
