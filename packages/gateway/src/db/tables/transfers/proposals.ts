// Internal transactions that one provider reported: kept until a balance confirms them or shows that they never happened.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { toTransfer, type TransferRow } from './transfer-row.ts';

/** Proposed transfers to these addresses at or below a height, by address row, in the order of the chain. */
export async function readProposals(
  reader: Reader,
  chain: string,
  addressIds: readonly number[],
  upTo: number,
): Promise<ReadonlyMap<number, readonly Transfer[]>> {
  if (addressIds.length === 0) return new Map();
  const rows = await reader.read<TransferRow & { readonly address_id: number }>(
    `SELECT * FROM transfers
     WHERE chain = $1 AND state = 'proposed' AND address_id = ANY($2::bigint[]) AND block_number <= $3
     ORDER BY block_number, ordinal, tx_id, position`,
    [chain, addressIds, upTo],
  );
  const proposals = new Map<number, Transfer[]>();
  for (const row of rows) {
    const known = proposals.get(row.address_id);
    if (known === undefined) proposals.set(row.address_id, [toTransfer(row)]);
    else known.push(toTransfer(row));
  }
  return proposals;
}

/** Marks the proposals to these addresses at or below a height orphaned: their balances confirmed others or none. */
export async function orphanProposals(
  tx: Tx,
  chain: string,
  addressIds: readonly number[],
  upTo: number,
): Promise<number> {
  if (addressIds.length === 0) return 0;
  const rows = await tx.write<{ orphaned: number }>(
    `WITH orphaned AS (
       UPDATE transfers SET state = 'orphaned'
       WHERE chain = $1 AND state = 'proposed' AND address_id = ANY($2::bigint[]) AND block_number <= $3
       RETURNING 1
     ) SELECT count(*) AS orphaned FROM orphaned`,
    [chain, addressIds, upTo],
  );
  return rows[0]?.orphaned ?? 0;
}

export interface SearchAddresses {
  readonly chain: Pick<ChainDefinition, 'name' | 'family' | 'currencies'>;
  /** Unix seconds. Orders that expired before this are not searched any more, unless they are still open. */
  readonly expiredSince: number;
  /** Only addresses with a higher row number: the last of the page before, 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

export interface SearchAddress {
  readonly addressId: number;
  readonly address: string;
}

/**
 * Addresses that an internal transaction could matter to: those of orders in the native currency, static ones, those
 * with a proposed transaction, and those that hold more than the books say. In pages by row number.
 */
export async function readSearchAddresses(
  reader: Reader,
  { chain, expiredSince, after, limit }: SearchAddresses,
): Promise<readonly SearchAddress[]> {
  const native = nativeCurrency(chain).currencyId;
  return reader.read<SearchAddress>(SEARCH, [chain.name, native, expiredSince, chain.family, after, limit]);
}

// The condition on the last three digits lets the planner use the index of orders in a native currency.
const SEARCH = `
  SELECT address_id AS "addressId", address FROM addresses WHERE address_id > $5 AND address_id IN (
    SELECT address_id FROM orders
    WHERE chain = $1 AND currency_id = $2 AND currency_id % 1000 = 0 AND time_expire >= $3
    UNION SELECT address_id FROM orders
    WHERE chain = $1 AND currency_id = $2 AND status = 'TO-BE-PAID' AND time_expire < $3
    UNION SELECT address_id FROM addresses WHERE family = $4 AND purpose = 'static'
    UNION SELECT address_id FROM transfers WHERE chain = $1 AND state = 'proposed'
    UNION SELECT address_id FROM balance_differences WHERE chain = $1 AND currency_id = $2 AND actual > expected)
  ORDER BY address_id LIMIT $6`;
