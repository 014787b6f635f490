// Unassigned receipts: listed for people, and assigned to an order by one of them.
import type { Transfer } from '@ducat/core/chain/transfer';
import type { Amount } from '@ducat/core/money/amount';
import type { Receipt } from '@ducat/core/order/assign-receipt';
import type { Disposition } from '@ducat/core/order/transition';
import { fromNumeric } from '../amounts.ts';
import type { Reader, SqlValue, Tx } from '../../postgres/tx.ts';
import { isLeft, isReversed } from './reversals.ts';
import { toTransfer, type TransferRow } from './transfer-row.ts';

/** Identifies a transfer. */
export type TransferIdentity = Pick<Transfer, 'chain' | 'txId' | 'position'>;

export interface ListedReceipt extends Receipt {
  /** The order whose address received it; null if that address belonged to none. */
  readonly tradeNo: string | null;
}

interface ReceiptRow extends TransferRow {
  readonly app_id: string | null;
  readonly trade_no: string | null;
}

/** Receipts that are neither assigned nor sent back nor reversed, the newest first; of all apps where `appId` is left out. */
export async function listUnassigned(
  reader: Reader,
  { appId, limit }: { readonly appId?: string | undefined; readonly limit: number },
): Promise<readonly ListedReceipt[]> {
  const values: SqlValue[] = [limit];
  if (appId !== undefined) values.push(appId);
  const rows = await reader.read<ReceiptRow>(
    `SELECT * FROM transfers t WHERE disposition = 'unassigned' ${appId === undefined ? '' : 'AND app_id = $2'}
       AND ${isLeft('t')}
     ORDER BY block_time DESC, chain, tx_id, position LIMIT $1`,
    values,
  );
  return rows.map((row) => ({ transfer: toTransfer(row), appId: row.app_id, tradeNo: row.trade_no }));
}

/** A final transfer of any disposition; null if there is none. */
export async function findReceipt(
  reader: Reader,
  { chain, txId, position }: TransferIdentity,
): Promise<ListedReceipt | null> {
  const [row] = await reader.read<ReceiptRow>(
    `SELECT * FROM transfers WHERE chain = $1 AND tx_id = $2 AND position = $3 AND state = 'final'`,
    [chain, txId, position],
  );
  return row === undefined ? null : { transfer: toTransfer(row), appId: row.app_id, tradeNo: row.trade_no };
}

export interface LockedReceipt extends ListedReceipt {
  readonly disposition: Disposition;
  /** Whether a wallet received it. It is then the operator's gas, which no person of a merchant may dispose of. */
  readonly isAtWallet: boolean;
  /** The fee that falls due when it is assigned, in parts per million. */
  readonly feePpm: bigint;
}

/** A final transfer, locked until the transaction ends; null where there is none, or where it was reversed. */
export async function lockReceipt(
  tx: Tx,
  { chain, txId, position }: TransferIdentity,
): Promise<LockedReceipt | null> {
  const [row] = await tx.read<
    ReceiptRow & {
      readonly disposition: Disposition;
      readonly deposit_fee_ppm: number | null;
      readonly purpose: string | null;
    }
  >(
    `SELECT t.*, m.deposit_fee_ppm, d.purpose
     FROM transfers t LEFT JOIN apps a USING (app_id) LEFT JOIN merchants m USING (merchant_id)
       LEFT JOIN addresses d ON d.address_id = t.address_id
     WHERE t.chain = $1 AND t.tx_id = $2 AND t.position = $3 AND t.state = 'final' FOR UPDATE OF t`,
    [chain, txId, position],
  );
  // A second statement, because the one that waited for the lock would not see a reversal that was written meanwhile.
  // mark: a-reversal-is-seen-behind-the-lock
  const left = await tx.read(
    `SELECT FROM transfers t WHERE t.chain = $1 AND t.tx_id = $2 AND t.position = $3 AND NOT ${isReversed('t')}`,
    [chain, txId, position],
  );
  if (row === undefined || left.length === 0) return null;
  return {
    transfer: toTransfer(row),
    appId: row.app_id,
    tradeNo: row.trade_no,
    disposition: row.disposition,
    isAtWallet: row.purpose === 'wallet',
    feePpm: BigInt(row.deposit_fee_ppm ?? 0),
  };
}

/** How much an order was paid in time, assigned transfers included and reversed ones not. */
export async function readPaidInTime(reader: Reader, tradeNo: string, currencyId: number): Promise<Amount> {
  const [row] = await reader.read<{ units: string }>(
    `SELECT coalesce(sum(units), 0)::text AS units FROM transfers t
     WHERE trade_no = $1 AND state = 'final' AND disposition = 'payment' AND NOT ${isReversed('t')}`,
    [tradeNo],
  );
  return fromNumeric(currencyId, row?.units ?? '0');
}

export interface NewAssignment {
  readonly receipt: TransferIdentity;
  readonly tradeNo: string;
  readonly disposition: Disposition;
  readonly by: string;
  readonly reason: string;
  readonly atMs: number;
}

/** Makes a locked receipt count for an order, and stores who decided it. */
export async function insertAssignment(tx: Tx, assignment: NewAssignment): Promise<void> {
  const { receipt, tradeNo, disposition, by, reason, atMs } = assignment;
  await tx.write(
    `WITH assigned AS (
       UPDATE transfers SET disposition = $5, trade_no = $4
       WHERE chain = $1 AND tx_id = $2 AND position = $3 RETURNING chain, tx_id, position, trade_no
     )
     INSERT INTO receipt_assignments (chain, tx_id, position, trade_no, assigned_by, reason, at_ms)
     SELECT chain, tx_id, position, trade_no, $6, $7, $8 FROM assigned`,
    [receipt.chain, receipt.txId, receipt.position, tradeNo, disposition, by, reason, atMs],
  );
}
