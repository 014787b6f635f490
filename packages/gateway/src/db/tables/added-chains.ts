// Chains and tokens that were added on the dashboard, sealed.
import type { Reader, Tx } from '../postgres/tx.ts';

interface Added {
  readonly chain: string;
  readonly sealed: Buffer;
  /** The person. */
  readonly addedBy: string;
  readonly addedAtMs: number;
}

/** As it is read: who added it is called so now. */
interface Named {
  readonly addedByName: string;
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

/** The oldest first. */
export function readAddedChains(reader: Reader): Promise<readonly (AddedChainRow & Named)[]> {
  return reader.read<AddedChainRow & Named>(
    `SELECT chain, chain_id AS "chainId", sealed, added_by AS "addedBy", added_at_ms AS "addedAtMs",
       p.name AS "addedByName"
     FROM added_chains JOIN people p ON p.person_id = added_by ORDER BY added_at_ms, chain`,
    [],
  );
}

/** The oldest first. */
export function readAddedTokens(reader: Reader): Promise<readonly (AddedTokenRow & Named)[]> {
  return reader.read<AddedTokenRow & Named>(
    `SELECT currency_id AS "currencyId", chain, sealed, added_by AS "addedBy", added_at_ms AS "addedAtMs",
       p.name AS "addedByName"
     FROM added_tokens JOIN people p ON p.person_id = added_by ORDER BY added_at_ms, currency_id`,
    [],
  );
}

/** False where a chain of that name or with that chain id was added before. */
export async function insertAddedChain(tx: Tx, row: AddedChainRow): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO added_chains (chain, chain_id, sealed, added_by, added_at_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING chain`,
    [row.chain, row.chainId, row.sealed, row.addedBy, row.addedAtMs],
  );
  return rows.length > 0;
}

/** False where the number was given before. */
export async function insertAddedToken(tx: Tx, row: AddedTokenRow): Promise<boolean> {
  const rows = await tx.write(
    `INSERT INTO added_tokens (currency_id, chain, sealed, added_by, added_at_ms) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING RETURNING currency_id`,
    [row.currencyId, row.chain, row.sealed, row.addedBy, row.addedAtMs],
  );
  return rows.length > 0;
}
