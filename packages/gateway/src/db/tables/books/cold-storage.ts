// Cold storage in the books: its addresses, who sent money there, and what lies there.
import { type Amount, negate } from '@ducat/core/money/amount';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { fromNumeric } from '../amounts.ts';

/**
 * Stores the cold addresses of the configuration, canonical, at each start. A transfer from one to a wallet is money
 * that comes back, even if a restored backup lost the transfer that sent it. Addresses that left the configuration
 * stay, because they may still hold money.
 */
export async function insertColdAddresses(
  tx: Tx,
  chain: string,
  addresses: readonly string[],
): Promise<void> {
  await tx.write(
    'INSERT INTO cold_addresses (chain, address) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING',
    [chain, addresses],
  );
}

export async function isColdAddress(tx: Tx, chain: string, address: string): Promise<boolean> {
  const rows = await tx.read('SELECT FROM cold_addresses WHERE chain = $1 AND address = $2', [
    chain,
    address,
  ]);
  return rows.length > 0;
}

export interface NewColdTransfer {
  readonly coldTransferId: string;
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export async function insertColdTransfer(tx: Tx, one: NewColdTransfer): Promise<void> {
  const { coldTransferId, by, reason, nowMs } = one;
  await tx.write(
    'INSERT INTO cold_transfers (cold_transfer_id, asked_by, reason, at_ms) VALUES ($1, $2, $3, $4)',
    [coldTransferId, by, reason, nowMs],
  );
}

/** Whether a sender has an open transfer to cold storage. The caller has locked the sender. */
export async function hasOpenColdTransfer(tx: Tx, senderId: number): Promise<boolean> {
  const rows = await tx.read(
    `SELECT FROM outgoing_transactions
     WHERE sender_id = $1 AND subject_kind = 'cold' AND next_at_ms IS NOT NULL LIMIT 1`,
    [senderId],
  );
  return rows.length > 0;
}

export interface ColdHolding {
  readonly address: string;
  /** Held by the books; negative if more came back than was sent. */
  readonly held: Amount;
  /** The final block of the same moment; null before anything is final. */
  readonly final: { readonly number: number; readonly hash: string } | null;
}

interface HoldingRow {
  readonly address: string;
  readonly id: number;
  readonly balance: string;
  readonly number: number | null;
  readonly hash: string | null;
}

/** Each cold address of a chain with each currency that it holds. One statement, so that all is of one moment. */
export async function readColdHoldings(reader: Reader, chain: string): Promise<readonly ColdHolding[]> {
  const rows = await reader.read<HoldingRow>(
    `SELECT substr(a.owner, length($1) + 2) AS address, a.currency_id AS id, a.balance, f.number, f.hash
     FROM accounts a LEFT JOIN chain_cursors c ON c.chain = $1
       LEFT JOIN blocks f ON f.chain = c.chain AND f.number = c.final_number
     WHERE a.kind = 'cold' AND starts_with(a.owner, $1 || '/') AND a.balance <> 0
     ORDER BY a.owner, a.currency_id`,
    [chain],
  );
  // The ledger carries cold balances negative, as it does custody.
  return rows.map(({ address, id, balance, number, hash }) => ({
    address,
    held: negate(fromNumeric(id, balance)),
    final: number === null || hash === null ? null : { number, hash },
  }));
}
