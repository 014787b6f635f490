// Addresses that hold something else than the books say, as a quorum of providers confirmed.
import { type Amount, subtract } from '@ducat/core/money/amount';
import { fromNumeric, toNumeric } from '../amounts.ts';
import type { Reader, Tx } from '../../postgres/tx.ts';

export interface BalanceDifference {
  readonly addressId: number;
  readonly expected: Amount;
  readonly actual: Amount;
  readonly atBlock: number;
}

export interface StandingDifference {
  readonly currencyId: number;
  readonly addressId: number;
  readonly address: string;
  /** Chain less books: negative is missing. */
  readonly difference: Amount;
  readonly atBlock: number;
  /** Unix milliseconds. */
  readonly sinceMs: number;
  readonly isRaised: boolean;
}

/**
 * Writes what differs; returns the addresses whose difference is new or has changed. Only those count toward a
 * suspension again.
 */
export async function upsertDifferences(
  tx: Tx,
  chain: string,
  currencyId: number,
  differences: readonly BalanceDifference[],
  nowMs: number,
): Promise<readonly number[]> {
  if (differences.length === 0) return [];
  const rows = await tx.write<{ address_id: number }>(
    `INSERT INTO balance_differences AS d (chain, currency_id, address_id, expected, actual, at_block, since_ms)
     SELECT $1, $2, address_id, expected, actual, at_block, $7
     FROM unnest($3::bigint[], $4::numeric[], $5::numeric[], $6::bigint[])
       AS found (address_id, expected, actual, at_block)
     ON CONFLICT (chain, currency_id, address_id) DO UPDATE SET expected = excluded.expected,
       actual = excluded.actual, at_block = excluded.at_block, since_ms = excluded.since_ms, raised = false
     WHERE d.actual - d.expected <> excluded.actual - excluded.expected
     RETURNING address_id`,
    [
      chain,
      currencyId,
      differences.map(({ addressId }) => addressId),
      differences.map(({ expected }) => toNumeric(expected)),
      differences.map(({ actual }) => toNumeric(actual)),
      differences.map(({ atBlock }) => atBlock),
      nowMs,
    ],
  );
  return rows.map((row) => row.address_id);
}

/** Deletes the rows of addresses that hold what they should; returns the addresses that had one. */
export async function deleteDifferences(
  tx: Tx,
  chain: string,
  currencyId: number,
  addressIds: readonly number[],
): Promise<readonly number[]> {
  if (addressIds.length === 0) return [];
  const rows = await tx.write<{ address_id: number }>(
    `DELETE FROM balance_differences WHERE chain = $1 AND currency_id = $2 AND address_id = ANY($3::bigint[])
     RETURNING address_id`,
    [chain, currencyId, addressIds],
  );
  return rows.map((row) => row.address_id);
}

/** Deletes the rows of currencies that are no longer compared. */
export async function deleteDifferencesOfOthers(
  tx: Tx,
  chain: string,
  keptIds: readonly number[],
): Promise<void> {
  await tx.write('DELETE FROM balance_differences WHERE chain = $1 AND currency_id <> ALL($2::integer[])', [
    chain,
    keptIds,
  ]);
}

export interface DifferenceQuery {
  readonly chain: string;
  /** All currencies of the chain if left out. */
  readonly currencyId?: number;
  /** Only differences that have suspended their currency, or only the others; both if left out. */
  readonly isRaised?: boolean;
  readonly limit: number;
}

/**
 * The differences on a chain: missing money first, the largest first. A stranger can send dust to any number of
 * addresses, which must not come before a theft.
 */
export async function readDifferences(
  reader: Reader,
  { chain, currencyId, isRaised, limit }: DifferenceQuery,
): Promise<readonly StandingDifference[]> {
  const rows = await reader.read<DifferenceRow>(
    `SELECT d.*, address FROM balance_differences d JOIN addresses USING (address_id)
     WHERE chain = $1 AND ($2::integer IS NULL OR currency_id = $2) AND ($3::boolean IS NULL OR raised = $3)
     ORDER BY actual > expected, abs(actual - expected) DESC, currency_id, address_id LIMIT $4`,
    [chain, currencyId ?? null, isRaised ?? null, limit],
  );
  return rows.map((row) => ({
    currencyId: row.currency_id,
    addressId: row.address_id,
    address: row.address,
    difference: subtract(
      fromNumeric(row.currency_id, row.actual),
      fromNumeric(row.currency_id, row.expected),
    ),
    atBlock: row.at_block,
    sinceMs: row.since_ms,
    isRaised: row.raised,
  }));
}

/** The currencies of a chain that have differences. */
export async function readDifferingCurrencies(reader: Reader, chain: string): Promise<readonly number[]> {
  const rows = await reader.read<{ currency_id: number }>(
    'SELECT DISTINCT currency_id FROM balance_differences WHERE chain = $1',
    [chain],
  );
  return rows.map((row) => row.currency_id);
}

/** Notes that the differences of these addresses have suspended the currency. */
export async function markRaised(
  tx: Tx,
  chain: string,
  currencyId: number,
  addressIds: readonly number[],
): Promise<void> {
  await tx.write(
    `UPDATE balance_differences SET raised = true
     WHERE chain = $1 AND currency_id = $2 AND address_id = ANY($3::bigint[])`,
    [chain, currencyId, addressIds],
  );
}

interface DifferenceRow {
  readonly currency_id: number;
  readonly address_id: number;
  readonly address: string;
  readonly expected: string;
  readonly actual: string;
  readonly at_block: number;
  readonly since_ms: number;
  readonly raised: boolean;
}
