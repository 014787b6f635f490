// Movements to our addresses: seen, final or orphaned.
import { assert } from '@ducat/core/assert';
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import type { BlockStamp, Transfer } from '@ducat/core/chain/transfer';
import type { DueTransfer, SettledTransfers } from '@ducat/core/order/settle-all';
import { fromNumeric, toNumeric } from './amounts.ts';
import type { Reader, Tx } from '../postgres/tx.ts';

/** A transfer to an address of ours that a block cannot hold, as it stands somewhere already. */
export interface RepeatedTransfer {
  readonly txId: string;
  readonly position: string;
  /** The block of the books that it stands in; null where the new block itself holds it twice. */
  readonly inBlock: number | null;
}

/** The first of these new transfers that goes to us and is there already; null where there is none. */
export async function findRepeated(
  tx: Tx,
  family: ChainFamily,
  transfers: readonly Transfer[],
): Promise<RepeatedTransfer | null> {
  if (transfers.length === 0) return null;
  const rows = await tx.read<{ tx_id: string; position: string; in_block: number | null }>(FIND_REPEATED, [
    family,
    transfers.map((transfer) => transfer.chain),
    transfers.map((transfer) => transfer.txId),
    transfers.map((transfer) => transfer.position),
    transfers.map((transfer) => transfer.to),
  ]);
  const [row] = rows;
  return row === undefined ? null : { txId: row.tx_id, position: row.position, inBlock: row.in_block };
}

const FIND_REPEATED = `
  SELECT told.tx_id, told.position, min(known.block_number) AS in_block
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS told (chain, tx_id, position, to_address)
    JOIN addresses ON family = $1 AND address = told.to_address
    LEFT JOIN transfers known ON known.chain = told.chain AND known.tx_id = told.tx_id
      AND known.position = told.position AND known.state <> 'orphaned'
  GROUP BY told.chain, told.tx_id, told.position
  HAVING count(*) > 1 OR count(known.tx_id) > 0
  ORDER BY told.tx_id, told.position
  LIMIT 1`;

/** What a block holds for us, in the order of the chain. */
export interface BlockTransfers {
  readonly header: BlockStamp;
  readonly transfers: readonly Transfer[];
}

/**
 * Keeps those transfers of these blocks that go to an address of ours. One that was orphaned before comes back as
 * the new block tells it; its effects may differ there. One that already stands in another block of the same
 * chain was refused by `findRepeated`, so the count of rows written must be the count that matched.
 */
export async function insertTransfers(
  tx: Tx,
  family: ChainFamily,
  blocks: readonly BlockTransfers[],
): Promise<number> {
  const placed = blocks.flatMap(({ header, transfers }) =>
    transfers.map((transfer, place) => ({ header, transfer, ordinal: place + 1 })),
  );
  if (placed.length === 0) return 0;
  const rows = await tx.write<{ matched: number; written: number }>(INSERT_TRANSFERS, [
    family,
    placed.map(({ transfer }) => transfer.chain),
    placed.map(({ transfer }) => transfer.txId),
    placed.map(({ transfer }) => transfer.position),
    placed.map(({ ordinal }) => ordinal),
    placed.map(({ transfer }) => transfer.amount.currencyId),
    placed.map(({ transfer }) => transfer.from),
    placed.map(({ transfer }) => transfer.to),
    placed.map(({ transfer }) => toNumeric(transfer.amount)),
    placed.map(({ header }) => header.number),
    placed.map(({ header }) => header.hash),
    placed.map(({ header }) => header.time),
  ]);
  const { matched, written } = rows[0] ?? { matched: 0, written: 0 };
  assert(
    matched === written,
    `block ${blocks.at(-1)?.header.hash} repeats a transfer of an earlier block of the same chain`,
  );
  return written;
}

const INSERT_TRANSFERS = `
  WITH incoming AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::text[], $8::text[],
      $9::numeric[], $10::bigint[], $11::text[], $12::bigint[])
    AS t (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
      block_number, block_hash, block_time)
  ), matched AS (
    SELECT incoming.*, address_id, app_id, trade_no
    FROM incoming JOIN addresses ON family = $1 AND address = to_address
  ), written AS (
    INSERT INTO transfers AS known (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
      block_number, block_hash, block_time, state, address_id, app_id, trade_no)
    SELECT chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
      block_number, block_hash, block_time, 'seen', address_id, app_id, trade_no
    FROM matched
    ON CONFLICT (chain, tx_id, position) DO UPDATE SET
      ordinal = excluded.ordinal, currency_id = excluded.currency_id, from_address = excluded.from_address,
      to_address = excluded.to_address, units = excluded.units, block_number = excluded.block_number,
      block_hash = excluded.block_hash, block_time = excluded.block_time, state = 'seen',
      address_id = excluded.address_id, app_id = excluded.app_id, trade_no = excluded.trade_no
    WHERE known.state = 'orphaned'
    RETURNING 1
  )
  SELECT (SELECT count(*) FROM matched) AS matched, (SELECT count(*) FROM written) AS written`;

/**
 * How many movements to our addresses stand only in the books, or only in what is told of that block, where anything
 * of a movement makes another one of it. 0 means that the block was read right.
 */
export async function countDifferences(
  reader: Reader,
  { name, family }: Pick<ChainDefinition, 'name' | 'family'>,
  { number, hash }: BlockStamp,
  transfers: readonly Transfer[],
): Promise<number> {
  const rows = await reader.read<{ differences: number }>(COUNT_DIFFERENCES, [
    family,
    name,
    number,
    hash,
    transfers.map((transfer) => transfer.txId),
    transfers.map((transfer) => transfer.position),
    transfers.map((transfer) => transfer.amount.currencyId),
    transfers.map((transfer) => transfer.from),
    transfers.map((transfer) => transfer.to),
    transfers.map((transfer) => toNumeric(transfer.amount)),
  ]);
  return rows[0]?.differences ?? 0;
}

const COUNT_DIFFERENCES = `
  WITH told AS (
    SELECT tx_id, position, currency_id, from_address, to_address, units
    FROM unnest($5::text[], $6::text[], $7::integer[], $8::text[], $9::text[], $10::numeric[])
      AS t (tx_id, position, currency_id, from_address, to_address, units)
    WHERE EXISTS (SELECT FROM addresses WHERE family = $1 AND address = to_address)
  ), booked AS (
    SELECT tx_id, position, currency_id, from_address, to_address, units
    FROM transfers WHERE chain = $2 AND block_number = $3::bigint AND block_hash = $4 AND state <> 'orphaned'
  ), different AS (
    (TABLE told EXCEPT TABLE booked) UNION ALL (TABLE booked EXCEPT TABLE told)
  )
  SELECT count(*) AS differences FROM different`;

interface DueRow {
  readonly chain: string;
  readonly tx_id: string;
  readonly position: string;
  readonly currency_id: number;
  readonly from_address: string;
  readonly to_address: string;
  readonly units: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly block_time: number;
  readonly app_id: string;
  readonly trade_no: string | null;
  readonly deposit_fee_ppm: number;
}

/** The first seen transfers at or below a height that is now final, in the order of the chain, locked. */
export async function lockTransfersToSettle(
  tx: Tx,
  chain: string,
  finalNumber: number,
  limit: number,
): Promise<readonly DueTransfer[]> {
  const rows = await tx.read<DueRow>(
    `SELECT t.*, m.deposit_fee_ppm
     FROM transfers t JOIN apps a USING (app_id) JOIN merchants m USING (merchant_id)
     WHERE t.chain = $1 AND t.state = 'seen' AND t.block_number <= $2
     ORDER BY t.block_number, t.ordinal
     LIMIT $3
     FOR UPDATE OF t`,
    [chain, finalNumber, limit],
  );
  return rows.map((row) => ({
    transfer: toTransfer(row),
    appId: row.app_id,
    feePpm: BigInt(row.deposit_fee_ppm),
    tradeNo: row.trade_no,
  }));
}

/** Whether any transfer at or below a height still waits to be settled. */
export async function hasSeenUpTo(reader: Reader, chain: string, number: number): Promise<boolean> {
  const rows = await reader.read(
    `SELECT 1 FROM transfers WHERE chain = $1 AND state = 'seen' AND block_number <= $2 LIMIT 1`,
    [chain, number],
  );
  return rows.length > 0;
}

/** Marks transfers final with what they turned out to be. */
export async function markFinal(tx: Tx, settled: SettledTransfers['dispositions']): Promise<void> {
  if (settled.length === 0) return;
  await tx.write(
    `UPDATE transfers SET state = 'final', disposition = s.disposition
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) AS s (chain, tx_id, position, disposition)
     WHERE transfers.chain = s.chain AND transfers.tx_id = s.tx_id AND transfers.position = s.position`,
    [
      settled.map(({ transfer }) => transfer.chain),
      settled.map(({ transfer }) => transfer.txId),
      settled.map(({ transfer }) => transfer.position),
      settled.map(({ disposition }) => disposition),
    ],
  );
}

/** Marks the seen transfers above a height orphaned; returns how many. */
export async function orphanTransfersAbove(tx: Tx, chain: string, number: number): Promise<number> {
  const rows = await tx.write<{ orphaned: number }>(
    `WITH orphaned AS (
       UPDATE transfers SET state = 'orphaned'
       WHERE chain = $1 AND state = 'seen' AND block_number > $2 RETURNING 1
     ) SELECT count(*) AS orphaned FROM orphaned`,
    [chain, number],
  );
  return rows[0]?.orphaned ?? 0;
}

function toTransfer(row: DueRow): Transfer {
  return {
    chain: row.chain,
    txId: row.tx_id,
    position: row.position,
    from: row.from_address,
    to: row.to_address,
    amount: fromNumeric(row.currency_id, row.units),
    block: { number: row.block_number, hash: row.block_hash, time: row.block_time },
  };
}
