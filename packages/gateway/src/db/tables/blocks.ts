// The window of accepted blocks, and the record of every time it was rolled back.
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { Reader, Tx } from '../postgres/tx.ts';

/** A header, and whether the transfers of its block follow from its hash. */
export interface NewBlock {
  readonly header: BlockHeader;
  readonly isProven: boolean;
}

export async function insertBlocks(tx: Tx, chain: string, blocks: readonly NewBlock[]): Promise<void> {
  const headers = blocks.map(({ header }) => header);
  await tx.write(
    `INSERT INTO blocks (chain, number, hash, parent_hash, time, proven)
     SELECT $1, number, hash, parent_hash, time, proven
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::boolean[])
       AS b (number, hash, parent_hash, time, proven)`,
    [
      chain,
      headers.map(({ number }) => number),
      headers.map(({ hash }) => hash),
      headers.map(({ parentHash }) => parentHash),
      headers.map(({ time }) => time),
      blocks.map(({ isProven }) => isProven),
    ],
  );
}

/** The lowest blocks between two heights that do not prove themselves and that no quorum has reported yet. */
export async function readUnproven(
  reader: Reader,
  chain: string,
  above: number,
  upTo: number,
  limit: number,
): Promise<readonly BlockHeader[]> {
  return reader.read<BlockHeader>(
    `SELECT number, hash, parent_hash AS "parentHash", time FROM blocks
     WHERE chain = $1 AND number > $2 AND number <= $3 AND NOT proven
     ORDER BY number LIMIT $4`,
    [chain, above, upTo, limit],
  );
}

/** Marks blocks proven that stand in the window with these hashes; returns their numbers. */
export async function markProven(
  tx: Tx,
  chain: string,
  blocks: readonly KnownBlock[],
): Promise<readonly number[]> {
  const rows = await tx.write<{ number: number }>(
    `UPDATE blocks b SET proven = true FROM unnest($2::bigint[], $3::text[]) AS p (number, hash)
     WHERE b.chain = $1 AND b.number = p.number AND b.hash = p.hash RETURNING b.number`,
    [chain, blocks.map(({ number }) => number), blocks.map(({ hash }) => hash)],
  );
  return rows.map(({ number }) => number);
}

/** One accepted block, or null where it is not in the window. */
export async function findBlock(
  reader: Reader,
  chain: string,
  number: number,
): Promise<(KnownBlock & { readonly time: number }) | null> {
  const rows = await reader.read<{ number: number; hash: string; time: number }>(
    'SELECT number, hash, time FROM blocks WHERE chain = $1 AND number = $2',
    [chain, number],
  );
  return rows[0] ?? null;
}

/** The window between two heights, highest first. */
export async function readWindow(
  reader: Reader,
  chain: string,
  from: number,
  to: number,
): Promise<readonly KnownBlock[]> {
  return reader.read<KnownBlock>(
    'SELECT number, hash FROM blocks WHERE chain = $1 AND number BETWEEN $2 AND $3 ORDER BY number DESC',
    [chain, from, to],
  );
}

/** Forgets accepted blocks above a height. */
export async function deleteBlocksAbove(tx: Tx, chain: string, number: number): Promise<void> {
  await tx.write('DELETE FROM blocks WHERE chain = $1 AND number > $2', [chain, number]);
}

/** Forgets blocks that are so old that no fork can reach them. */
export async function pruneBlocksBelow(tx: Tx, chain: string, number: number): Promise<void> {
  await tx.write('DELETE FROM blocks WHERE chain = $1 AND number < $2', [chain, number]);
}

export interface Reorg {
  readonly chain: string;
  readonly from: KnownBlock;
  /** Null if the whole window was undone. */
  readonly ancestor: KnownBlock | null;
  /** How many transfers of ours were in the undone blocks. */
  readonly orphaned: number;
  readonly atMs: number;
}

export async function insertReorg(tx: Tx, reorg: Reorg): Promise<void> {
  await tx.write(
    `INSERT INTO reorgs (chain, from_number, from_hash, ancestor_number, ancestor_hash, orphaned, at_ms)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      reorg.chain,
      reorg.from.number,
      reorg.from.hash,
      reorg.ancestor?.number ?? null,
      reorg.ancestor?.hash ?? null,
      reorg.orphaned,
      reorg.atMs,
    ],
  );
}
