// Cold storage in the books: its addresses, who sent money there, and what lies there.
import { type Amount, negate } from '@ducat/core/money/amount';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';

export interface NewColdTransfer {
  readonly coldTransferId: string;
  readonly chain: string;
  /** Canonical. */
  readonly to: string;
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

/** From now on what comes from there to a wallet comes back. */
export async function insertColdTransfer(tx: Tx, one: NewColdTransfer): Promise<void> {
  const { coldTransferId, chain, to, by, reason, nowMs } = one;
  await tx.write('INSERT INTO cold_addresses (chain, address) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    chain,
    to,
  ]);
  await tx.write(
    'INSERT INTO cold_transfers (cold_transfer_id, asked_by, reason, at_ms) VALUES ($1, $2, $3, $4)',
    [coldTransferId, by, reason, nowMs],
  );
}

export interface ColdHolding {
  readonly address: string;
  /** By the books; below zero where more came back than was sent. */
  readonly held: Amount;
}

/** Each cold address of a chain with each currency that lies there. */
export async function readColdHoldings(reader: Reader, chain: string): Promise<readonly ColdHolding[]> {
  const rows = await reader.read<{ address: string; id: number; balance: string }>(
    `SELECT c.address, a.currency_id AS id, a.balance FROM cold_addresses c
       JOIN accounts a ON a.kind = 'cold' AND a.owner = c.chain || '/' || c.address
     WHERE c.chain = $1 AND a.balance <> 0 ORDER BY c.address, a.currency_id`,
    [chain],
  );
  // Carried negative, as custody is.
  return rows.map(({ address, id, balance }) => ({ address, held: negate(fromNumeric(id, balance)) }));
}
