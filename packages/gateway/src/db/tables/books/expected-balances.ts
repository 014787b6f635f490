// The balance of each of our addresses after a block by the books: received less sent, network fees included.
import type { Amount } from '@ducat/core/money/amount';
import type { Reader } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';

export interface ExpectedBalances {
  readonly chain: string;
  readonly addressIds: readonly number[];
  /** All currencies if left out. */
  readonly currencyIds?: readonly number[];
  /** The number of the block after which the balances stand; the books have to know all blocks up to it. */
  readonly atBlock: number;
}

interface BalanceRow {
  readonly address_id: number;
  readonly currency_id: number;
  readonly units: string;
}

/**
 * By address row and currency, in base units. A currency that an address never moved is left out and means zero. A balance
 * is negative if the address spent money from before its chain was watched. Orphaned and proposed transfers do not count.
 */
export async function readExpectedBalances(
  reader: Reader,
  { chain, addressIds, currencyIds, atBlock }: ExpectedBalances,
): Promise<ReadonlyMap<number, ReadonlyMap<number, Amount>>> {
  if (addressIds.length === 0) return new Map();
  const rows = await reader.read<BalanceRow>(EXPECTED, [chain, addressIds, currencyIds ?? null, atBlock]);
  const expected = new Map<number, Map<number, Amount>>();
  for (const { address_id: addressId, currency_id: currencyId, units } of rows) {
    const ofAddress = expected.get(addressId) ?? new Map<number, Amount>();
    expected.set(addressId, ofAddress.set(currencyId, fromNumeric(currencyId, units)));
  }
  return expected;
}

// One index search for each side, and one for the fees of our own transactions. An OR of both sides would read the
// whole table.
const EXPECTED = `
  SELECT address_id, currency_id, sum(units)::text AS units
  FROM (
    SELECT address_id, currency_id, units, chain, state, block_number FROM transfers
    WHERE address_id = ANY($2::bigint[])
    UNION ALL
    SELECT from_address_id, currency_id, -units, chain, state, block_number FROM transfers
    WHERE from_address_id = ANY($2::bigint[])
    UNION ALL
    SELECT address_id, currency_id, -fee, chain, 'seen', block_number FROM inclusions
    WHERE address_id = ANY($2::bigint[])
  ) AS moved
  WHERE chain = $1 AND state IN ('seen', 'final') AND block_number <= $4
    AND ($3::integer[] IS NULL OR currency_id = ANY($3::integer[]))
  GROUP BY address_id, currency_id`;
