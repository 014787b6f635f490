// Addresses whose final transfers came after they were last compared with the chain. Transfers at or below the final
// block are final for the chain, also while the books still count them as seen.
import type { Reader } from '../postgres/tx.ts';

export interface UsedAddress {
  readonly addressId: number;
  readonly address: string;
}

export interface TouchedAddresses {
  readonly addresses: readonly UsedAddress[];
  /** All transfers up to this block are in the list. */
  readonly until: number;
}

/** A range of blocks: above `from`, up to and including `to`. */
export interface TouchedRange {
  readonly chain: string;
  readonly currencyId: number;
  readonly from: number;
  readonly to: number;
}

// Each search uses the order of its index. As EXISTS they would be joined, which reads all transfers of the chain for
// each currency.
export const TOUCHED_CURRENCIES = `
  SELECT currency_id FROM reserve_checks c
  JOIN unnest($2::integer[], $3::bigint[]) AS r (currency_id, number) USING (currency_id)
  WHERE c.chain = $1 AND (
    SELECT true FROM transfers t WHERE t.chain = $1 AND t.currency_id = c.currency_id AND t.state IN ('seen', 'final')
      AND t.block_number > c.touched_until AND t.block_number <= r.number
    ORDER BY t.chain, t.block_number LIMIT 1) OR c.chain = $1 AND (
    SELECT true FROM inclusions i WHERE i.chain = $1 AND i.currency_id = c.currency_id
      AND i.block_number > c.touched_until AND i.block_number <= r.number
    ORDER BY i.chain, i.block_number LIMIT 1)
  ORDER BY currency_id`;

/** The currencies of a chain with transfers since the last comparison, each up to the block that its books have reached. */
export async function readTouchedCurrencies(
  reader: Reader,
  chain: string,
  reached: ReadonlyMap<number, number>,
): Promise<readonly number[]> {
  const rows = await reader.read<{ currency_id: number }>(TOUCHED_CURRENCIES, [
    chain,
    [...reached.keys()],
    [...reached.values()],
  ]);
  return rows.map((row) => row.currency_id);
}

/**
 * Addresses with transfers, in whole blocks from the lowest: those of at most `limit` transfers, or of one block that
 * has more.
 */
export async function readTouchedAddresses(
  reader: Reader,
  { chain, currencyId, from, to }: TouchedRange,
  limit: number,
): Promise<TouchedAddresses> {
  const blocks = await reader.read<{ block_number: number }>(
    `SELECT block_number FROM (
       (SELECT block_number FROM transfers WHERE ${IN_RANGE} ORDER BY block_number LIMIT $5) UNION ALL
       (SELECT block_number FROM inclusions WHERE ${PAID_IN_RANGE} ORDER BY block_number LIMIT $5)) AS moved
     ORDER BY block_number LIMIT $5`,
    [chain, currencyId, from, to, limit + 1],
  );
  const [first, beyond] = [blocks[0]?.block_number ?? to, blocks[limit]?.block_number];
  const until = beyond === undefined ? to : Math.max(first, beyond - 1);
  const addresses = await reader.read<UsedAddress>(
    `SELECT address_id AS "addressId", address FROM addresses WHERE address_id IN (
       SELECT address_id FROM transfers WHERE ${IN_RANGE}
       UNION SELECT from_address_id FROM transfers WHERE ${IN_RANGE}
       UNION SELECT address_id FROM inclusions WHERE ${PAID_IN_RANGE}) ORDER BY address_id`,
    [chain, currencyId, from, until],
  );
  return { addresses, until };
}

const IN_RANGE = `chain = $1 AND currency_id = $2 AND state IN ('seen', 'final') AND block_number > $3 AND block_number <= $4`;

/** An address that paid a network fee holds less, even without a transfer. */
const PAID_IN_RANGE = `chain = $1 AND currency_id = $2 AND block_number > $3 AND block_number <= $4`;
