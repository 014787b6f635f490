// In which blocks our own transactions are: seen with their block, final with it, gone with a reorg.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { OwnAddress } from '@ducat/core/ledger/account';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { toNumeric } from '../amounts.ts';

/** The transactions that blocks may hold from now on: everything that was signed and is not final. */
export async function readOpenTxIds(reader: Reader, chain: string): Promise<ReadonlySet<string>> {
  const rows = await reader.read<{ tx_id: string }>(
    `SELECT v.tx_id FROM outgoing_transactions o JOIN outgoing_variants v USING (outgoing_id)
     WHERE o.chain = $1 AND o.next_at_ms IS NOT NULL AND v.tx_id IS NOT NULL`,
    [chain],
  );
  return new Set(rows.map((row) => row.tx_id));
}

/** How many variants are open, also those that are prepared and not signed yet; counted no further than `most`. */
export async function countOpenVariants(reader: Reader, chain: string, most: number): Promise<number> {
  const [row] = await reader.read<{ open: number }>(
    `SELECT count(*)::integer AS open FROM (
       SELECT FROM outgoing_transactions o JOIN outgoing_variants v USING (outgoing_id)
       WHERE o.chain = $1 AND o.next_at_ms IS NOT NULL LIMIT $2) AS counted`,
    [chain, most],
  );
  return row?.open ?? 0;
}

/**
 * A transaction of ours in a new block, although a block of the books, or another place in the new blocks, holds it
 * already.
 */
export interface RepeatedInclusion {
  readonly txId: string;
  /** The block of the books; null if the new blocks themselves hold the transaction twice. */
  readonly inBlock: number | null;
}

/**
 * The first of these transactions that the books hold already; null if there is none. `movedBy` are transactions that moved
 * something of ours. They are checked too, because blocks are not searched by name for transactions that have ended.
 */
export async function findRepeatedInclusion(
  reader: Reader,
  chain: string,
  inclusions: readonly Inclusion[],
  movedBy: readonly string[],
): Promise<RepeatedInclusion | null> {
  const named = inclusions.map(({ txId }) => txId);
  const twice = named.find((txId, index) => named.indexOf(txId) !== index);
  if (twice !== undefined) return { txId: twice, inBlock: null };
  const ids = [...new Set([...named, ...movedBy])];
  if (ids.length === 0) return null;
  const [row] = await reader.read<RepeatedInclusion>(
    `SELECT tx_id AS "txId", block_number AS "inBlock" FROM inclusions
     WHERE chain = $1 AND tx_id = ANY($2::text[]) ORDER BY tx_id LIMIT 1`,
    [chain, ids],
  );
  return row ?? null;
}

/**
 * The lowest block of a range that moved something by an open transaction of ours and has no inclusion of it; null where
 * there is none. Such a block was read before the books knew the transaction, and has to be read again.
 */
export async function findUnnamed(
  tx: Tx,
  chain: string,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): Promise<number | null> {
  const [row] = await tx.read<{ readonly lowest: number | null }>(
    `SELECT min(t.block_number) AS lowest
     FROM transfers t JOIN outgoing_variants v USING (chain, tx_id) JOIN outgoing_transactions o USING (outgoing_id)
     WHERE t.chain = $1 AND t.state = 'seen' AND t.block_number > $2 AND t.block_number <= $3 AND o.next_at_ms IS NOT NULL
       AND NOT EXISTS (SELECT FROM inclusions i WHERE i.chain = t.chain AND i.tx_id = t.tx_id)`,
    [chain, above, upTo],
  );
  return row?.lowest ?? null;
}

/** SQL: the fee that we paid. The staker pays for the delegation of its stake, and its account is not ours. */
const OWN_FEE = 'CASE WHEN i.payer = o.staker THEN 0 ELSE i.fee END';

/**
 * Writes the inclusions of our variants. Others are skipped, because a block may be asked for transactions that are none.
 */
export async function insertInclusions(
  tx: Tx,
  { name, family }: { readonly name: string; readonly family: ChainFamily },
  inclusions: readonly Inclusion[],
): Promise<void> {
  if (inclusions.length === 0) return;
  await tx.write(
    `INSERT INTO inclusions (chain, tx_id, block_number, block_hash, block_time, status, address_id, currency_id, fee)
     SELECT $1, i.tx_id, number, hash, time, status, d.address_id, i.currency_id, ${OWN_FEE}
     FROM unnest($3::text[], $4::bigint[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::integer[], $10::numeric[])
       AS i (tx_id, number, hash, time, status, payer, currency_id, fee)
       JOIN outgoing_variants v ON v.chain = $1 AND v.tx_id = i.tx_id
       JOIN outgoing_transactions o USING (outgoing_id) JOIN senders l USING (sender_id)
       JOIN addresses signer ON signer.address_id = l.address_id
       JOIN addresses d ON d.family = $2 AND d.address = CASE WHEN i.payer = o.staker THEN signer.address
         ELSE i.payer END`,
    [
      name,
      family,
      inclusions.map(({ txId }) => txId),
      inclusions.map(({ block }) => block.number),
      inclusions.map(({ block }) => block.hash),
      inclusions.map(({ block }) => block.time),
      inclusions.map(({ status }) => status),
      inclusions.map(({ payer }) => payer),
      inclusions.map(({ fee }) => fee.currencyId),
      inclusions.map(({ fee }) => toNumeric(fee)),
    ],
  );
}

/**
 * Writes the inclusion of a transaction that a person found, whether the books have a variant of it or not. Returns the
 * address that paid the fee. Null if that is no address of ours, or if the books have the inclusion already.
 */
export async function insertFinalInclusion(
  tx: Tx,
  family: ChainFamily,
  { chain, txId, block, status, payer, fee }: Inclusion,
): Promise<OwnAddress | null> {
  const [owner] = await tx.write<OwnAddress>(
    `WITH written AS (
       INSERT INTO inclusions (chain, tx_id, block_number, block_hash, block_time, status, address_id, currency_id, fee, final)
       SELECT $1, $2, $3, $4, $5, $6, address_id, $7, $8::numeric, true FROM addresses WHERE family = $9 AND address = $10
       ON CONFLICT DO NOTHING RETURNING address_id
     ) SELECT address, purpose, app_id AS "appId" FROM addresses JOIN written USING (address_id)`,
    [
      chain,
      txId,
      block.number,
      block.hash,
      block.time,
      status,
      fee.currencyId,
      toNumeric(fee),
      family,
      payer,
    ],
  );
  return owner ?? null;
}

/** Deletes inclusions above a height that are not final, and makes their transactions due at once. */
export async function deleteInclusionsAbove(
  tx: Tx,
  chain: string,
  number: number,
  nowMs: number,
): Promise<void> {
  await tx.write(
    `WITH gone AS (
       DELETE FROM inclusions WHERE chain = $1 AND block_number > $2 AND NOT final RETURNING chain, tx_id
     )
     UPDATE outgoing_transactions o SET next_at_ms = $3 FROM gone JOIN outgoing_variants v USING (chain, tx_id)
     WHERE o.outgoing_id = v.outgoing_id AND o.next_at_ms IS NOT NULL`,
    [chain, number, nowMs],
  );
}

/** The numbers of the blocks whose inclusions in the books differ from the reported ones, lowest first. */
export async function findInclusionDifferences(
  reader: Reader,
  chain: string,
  blocks: readonly {
    readonly header: { readonly number: number };
    readonly inclusions: readonly Inclusion[];
  }[],
): Promise<readonly number[]> {
  const placed = blocks.flatMap(({ header, inclusions }) =>
    inclusions.map((inclusion) => ({ number: header.number, ...inclusion })),
  );
  const rows = await reader.read<{ number: number }>(
    `WITH reported AS (
       SELECT i.number, i.tx_id, i.status, ${OWN_FEE} AS fee
       FROM unnest($3::bigint[], $4::text[], $5::text[], $6::numeric[], $7::text[])
           AS i (number, tx_id, status, fee, payer)
         JOIN outgoing_variants v ON v.chain = $1 AND v.tx_id = i.tx_id
         JOIN outgoing_transactions o USING (outgoing_id)
     ), booked AS (
       SELECT block_number, tx_id, status, fee FROM inclusions WHERE chain = $1 AND block_number = ANY($2::bigint[])
     ), different AS (
       (TABLE reported EXCEPT TABLE booked) UNION ALL (TABLE booked EXCEPT TABLE reported)
     )
     SELECT DISTINCT number FROM different ORDER BY number`,
    [
      chain,
      blocks.map(({ header }) => header.number),
      placed.map(({ number }) => number),
      placed.map(({ txId }) => txId),
      placed.map(({ status }) => status),
      placed.map(({ fee }) => toNumeric(fee)),
      placed.map(({ payer }) => payer),
    ],
  );
  return rows.map(({ number }) => number);
}
