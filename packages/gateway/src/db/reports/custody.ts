// What the ledger says a chain holds for us, together with the final block up to which it says so.
import type { BlockStamp } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';
import { fromNumeric } from '../tables/amounts.ts';
import type { Reader } from '../postgres/tx.ts';

export interface Custody {
  /** Credits cover everything up to this block and nothing above it. */
  readonly final: BlockStamp;
  /** By currency, positive. */
  readonly held: ReadonlyMap<number, Amount>;
}

interface ReceivedRow {
  readonly address_id: number;
  readonly currency_id: number;
  readonly units: string;
}

interface CustodyRow {
  readonly number: number;
  readonly hash: string;
  readonly time: number;
  readonly currency_id: number | null;
  readonly held: string | null;
}

/** One statement, so that block and balances belong to one moment; null before anything is final. */
export async function readCustody(reader: Reader, chain: string): Promise<Custody | null> {
  const rows = await reader.read<CustodyRow>(
    `SELECT b.number, b.hash, b.time, a.currency_id, -a.balance AS held
     FROM chain_cursors c JOIN blocks b ON b.chain = c.chain AND b.number = c.final_number
     LEFT JOIN accounts a ON a.kind = 'custody' AND a.owner = c.chain
     WHERE c.chain = $1`,
    [chain],
  );
  const [first] = rows;
  if (first === undefined) return null;
  const held = new Map<number, Amount>();
  for (const { currency_id: currencyId, held: units } of rows) {
    if (currencyId !== null && units !== null) held.set(currencyId, fromNumeric(currencyId, units));
  }
  return { final: { number: first.number, hash: first.hash, time: first.time }, held };
}

/**
 * What each of these addresses got on a chain by final transfers up to a block, by address row and currency; an
 * address that got nothing is left out.
 */
export async function readReceived(
  reader: Reader,
  chain: string,
  addressIds: readonly number[],
  finalNumber: number,
): Promise<ReadonlyMap<number, ReadonlyMap<number, Amount>>> {
  const rows = await reader.read<ReceivedRow>(
    `SELECT address_id, currency_id, sum(units)::text AS units FROM transfers
     WHERE chain = $1 AND state = 'final' AND block_number <= $2 AND address_id = ANY($3::bigint[])
     GROUP BY address_id, currency_id`,
    [chain, finalNumber, addressIds],
  );
  const received = new Map<number, Map<number, Amount>>();
  for (const { address_id: addressId, currency_id: currencyId, units } of rows) {
    const ofAddress = received.get(addressId) ?? new Map<number, Amount>();
    received.set(addressId, ofAddress.set(currencyId, fromNumeric(currencyId, units)));
  }
  return received;
}
