// Whether the books hold exactly what a quorum reports of some blocks.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { BlockStamp, Transfer } from '@ducat/core/chain/transfer';
import type { Reader } from '../../postgres/tx.ts';
import { contentLists } from './transfer-row.ts';

/** A block with all its transfers that have a side of ours; others do no harm. */
export interface ReportedBlock {
  readonly header: Pick<BlockStamp, 'number' | 'hash'>;
  readonly transfers: readonly Transfer[];
  /** Inclusions of the transactions that were asked for. */
  readonly inclusions: readonly Inclusion[];
}

/**
 * The numbers of the blocks whose transfers of ours in the books differ from the reported ones, lowest first. Any
 * difference in a transfer counts. Proposed transfers are not compared.
 */
export async function findDifferences(
  reader: Reader,
  { name, family }: Pick<ChainDefinition, 'name' | 'family'>,
  blocks: readonly ReportedBlock[],
): Promise<readonly number[]> {
  const placed = blocks.flatMap(({ header, transfers }) =>
    transfers.map((transfer) => ({ number: header.number, transfer })),
  );
  const transfers = placed.map(({ transfer }) => transfer);
  const rows = await reader.read<{ number: number }>(FIND_DIFFERENCES, [
    family,
    name,
    blocks.map(({ header }) => header.number),
    placed.map(({ number }) => number),
    transfers.map(({ txId }) => txId),
    transfers.map(({ position }) => position),
    ...contentLists(transfers),
  ]);
  return rows.map(({ number }) => number);
}

const FIND_DIFFERENCES = `
  WITH reported AS (
    SELECT number, tx_id, position, currency_id, from_address, to_address, units
    FROM unnest($4::bigint[], $5::text[], $6::text[], $7::integer[], $8::text[], $9::text[], $10::numeric[])
      AS t (number, tx_id, position, currency_id, from_address, to_address, units)
    WHERE EXISTS (SELECT FROM addresses WHERE family = $1 AND address IN (from_address, to_address))
  ), booked AS (
    SELECT block_number AS number, tx_id, position, currency_id, from_address, to_address, units
    FROM transfers WHERE chain = $2 AND block_number = ANY($3::bigint[]) AND state IN ('seen', 'final')
  ), different AS (
    (TABLE reported EXCEPT TABLE booked) UNION ALL (TABLE booked EXCEPT TABLE reported)
  )
  SELECT DISTINCT number FROM different ORDER BY number`;
