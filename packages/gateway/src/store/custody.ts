// What the ledger says a chain holds for us, together with the final block up to which it says so.
import type { BlockStamp } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';
import { fromNumeric } from './amounts.ts';
import type { Reader } from './tx.ts';

export interface Custody {
  /** Credits cover everything up to this block and nothing above it. */
  readonly final: BlockStamp;
  /** By currency, positive. */
  readonly held: ReadonlyMap<number, Amount>;
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
