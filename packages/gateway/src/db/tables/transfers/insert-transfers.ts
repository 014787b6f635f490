// Transfers on their way into the books: seen in a block, or proposed by one provider.
import { assert } from '@ducat/core/assert';
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { contentLists, identityLists } from './transfer-row.ts';

/** A transfer of ours that a block cannot hold, because another place holds it already. */
export interface RepeatedTransfer {
  readonly txId: string;
  readonly position: string;
  /** The block of the books that holds it; null if the new blocks themselves hold it twice. */
  readonly inBlock: number | null;
}

/** The first of these new transfers of ours that the books hold already; null if there is none. */
export async function findRepeated(
  reader: Reader,
  transfers: readonly Transfer[],
): Promise<RepeatedTransfer | null> {
  if (transfers.length === 0) return null;
  const [row] = await reader.read<{ tx_id: string; position: string; in_block: number | null }>(
    FIND_REPEATED,
    identityLists(transfers),
  );
  return row === undefined ? null : { txId: row.tx_id, position: row.position, inBlock: row.in_block };
}

const FIND_REPEATED = `
  SELECT new.tx_id, new.position, min(known.block_number) AS in_block
  FROM unnest($1::text[], $2::text[], $3::text[]) AS new (chain, tx_id, position)
    LEFT JOIN transfers known ON known.chain = new.chain AND known.tx_id = new.tx_id
      AND known.position = new.position AND known.state IN ('seen', 'final')
  GROUP BY new.chain, new.tx_id, new.position
  HAVING count(*) > 1 OR count(known.tx_id) > 0
  ORDER BY new.tx_id, new.position
  LIMIT 1`;

/** A transfer with its place among those of its block, which orders the settling. */
export interface PlacedTransfer {
  readonly transfer: Transfer;
  readonly ordinal: number;
}

/**
 * Writes transfers that have a side of ours, as seen. A transfer that was orphaned or proposed before is overwritten as
 * it is reported now, because its content may differ. `findRepeated` has refused transfers that the books hold, so all
 * are written. With `forOrders` false they belong to no order, whatever their address is for.
 */
export async function insertSeen(
  tx: Tx,
  family: ChainFamily,
  placed: readonly PlacedTransfer[],
  { forOrders = true } = {},
): Promise<void> {
  if (placed.length === 0) return;
  const written = await insert(tx, family, placed, ['seen', ['orphaned', 'proposed'], forOrders]);
  assert(
    written === placed.length,
    `a transfer such as ${placed[0]?.transfer.txId} could not be written as seen`,
  );
}

/**
 * Writes internal transactions that one provider reported, each to an address of ours. A transfer that the books hold
 * as seen or final stays as it is.
 */
export async function insertProposed(
  tx: Tx,
  family: ChainFamily,
  placed: readonly PlacedTransfer[],
): Promise<void> {
  const byIdentity = new Map(
    placed.map((one) => [`${one.transfer.txId} ${one.transfer.position}`, one] as const),
  );
  if (byIdentity.size === 0) return;
  await insert(tx, family, [...byIdentity.values()], ['proposed', ['orphaned'], true]);
}

async function insert(
  tx: Tx,
  family: ChainFamily,
  placed: readonly PlacedTransfer[],
  [state, replaced, forOrders]: readonly [string, readonly string[], boolean],
): Promise<number> {
  const transfers = placed.map(({ transfer }) => transfer);
  const rows = await tx.write<{ written: number }>(INSERT, [
    family,
    ...identityLists(transfers),
    placed.map(({ ordinal }) => ordinal),
    ...contentLists(transfers),
    transfers.map(({ block }) => block.number),
    transfers.map(({ block }) => block.hash),
    transfers.map(({ block }) => block.time),
    state,
    replaced,
    forOrders,
  ]);
  return rows[0]?.written ?? 0;
}

// A transfer between our own addresses is no payment, so it belongs to no order.
const INSERT = `
  WITH incoming AS (
    SELECT * FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[], $6::integer[], $7::text[], $8::text[],
      $9::numeric[], $10::bigint[], $11::text[], $12::bigint[])
    AS t (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
      block_number, block_hash, block_time)
  ), written AS (
    INSERT INTO transfers AS known (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
      block_number, block_hash, block_time, state, address_id, app_id, trade_no, from_address_id)
    SELECT chain, tx_id, position, ordinal, currency_id, from_address, to_address, units,
      block_number, block_hash, block_time, $13, recipient.address_id, recipient.app_id,
      CASE WHEN $15 AND sender.address_id IS NULL THEN recipient.trade_no END, sender.address_id
    FROM incoming
      LEFT JOIN addresses recipient ON recipient.family = $1 AND recipient.address = to_address
      LEFT JOIN addresses sender ON sender.family = $1 AND sender.address = from_address
    WHERE recipient.address_id IS NOT NULL OR sender.address_id IS NOT NULL
    ON CONFLICT (chain, tx_id, position) DO UPDATE SET
      ordinal = excluded.ordinal, currency_id = excluded.currency_id, from_address = excluded.from_address,
      to_address = excluded.to_address, units = excluded.units, block_number = excluded.block_number,
      block_hash = excluded.block_hash, block_time = excluded.block_time, state = excluded.state,
      address_id = excluded.address_id, app_id = excluded.app_id, trade_no = excluded.trade_no,
      from_address_id = excluded.from_address_id
    WHERE known.state = ANY($14::text[])
    RETURNING 1
  )
  SELECT count(*) AS written FROM written`;
