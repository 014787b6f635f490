// The window of accepted blocks, and the record of every time it was rolled back.
import type { KnownBlock } from '@ducat/core/chain/local-chain';
import type { BlockHeader } from '@ducat/core/chain/transfer';
import type { Reader, Tx } from '../postgres/tx.ts';

export async function insertBlocks(tx: Tx, chain: string, headers: readonly BlockHeader[]): Promise<void> {
  await tx.write(
    `INSERT INTO blocks (chain, number, hash, parent_hash, time)
     SELECT $1, number, hash, parent_hash, time
     FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) AS b (number, hash, parent_hash, time)`,
    [
      chain,
      headers.map(({ number }) => number),
      headers.map(({ hash }) => hash),
      headers.map(({ parentHash }) => parentHash),
      headers.map(({ time }) => time),
    ],
  );
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
  /** Null where the whole window went. */
  readonly ancestor: KnownBlock | null;
  /** Transfers of ours that were in the blocks undone. */
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
