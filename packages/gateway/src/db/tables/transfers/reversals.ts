// Receipts that a deep fork took away: each has a counterpart of disposition `reversed`, which takes it out of the books.
import { assert } from '@ducat/core/assert';
import type { BlockStamp, Transfer } from '@ducat/core/chain/transfer';
import type { AddressPurpose, OwnAddress } from '@ducat/core/ledger/account';
import { REVERSED } from '@ducat/core/ledger/reversal';
import type { Disposition } from '@ducat/core/order/transition';
import type { Reader, Tx } from '../../postgres/tx.ts';
import { isSentBack } from './sent-back.ts';
import { toTransfer, type TransferRow } from './transfer-row.ts';

type Identity = Pick<Transfer, 'chain' | 'txId' | 'position'>;

/** SQL: whether the transfer of that name was reversed and not reinstated. */
export const isReversed = (transfer: string): string => `EXISTS (
  SELECT FROM transfers gone WHERE gone.chain = ${transfer}.chain AND gone.tx_id = ${transfer}.tx_id
    AND gone.position = ${transfer}.position || '${REVERSED}' AND gone.state = 'final')`;

/** SQL: whether the transfer of that name takes a reversed one out of the books. No block holds such a transfer. */
export const isCounterpart = (transfer: string): string => `${transfer}.position LIKE '%${REVERSED}'`;

/** SQL: whether anything of a receipt is left that a person may assign or send back. */
export const isLeft = (transfer: string): string =>
  `(NOT ${isSentBack(transfer)} AND NOT ${isReversed(transfer)})`;

/** A final transfer to an address of ours, as a reversal needs it. */
export interface BookedReceipt {
  readonly transfer: Transfer;
  readonly disposition: Disposition;
  readonly tradeNo: string | null;
  readonly to: OwnAddress;
  /** Null where a stranger sent it. */
  readonly from: OwnAddress | null;
  /** Of its counterpart; null where it was never reversed. */
  readonly counterpart: 'final' | 'orphaned' | null;
}

interface BookedRow extends TransferRow {
  readonly disposition: Disposition;
  readonly trade_no: string | null;
  readonly to_purpose: AddressPurpose;
  readonly to_app_id: string | null;
  readonly from_purpose: AddressPurpose | null;
  readonly from_app_id: string | null;
  readonly counterpart: BookedReceipt['counterpart'];
}

/**
 * Locked until the transaction ends; null where the books hold no such final transfer to an address of ours. A counterpart is
 * none: no block ever held it, so nothing could prove that it is gone.
 */
export async function lockBooked(tx: Tx, identity: Identity): Promise<BookedReceipt | null> {
  const [row] = await tx.read<BookedRow>(
    `SELECT t.*, recipient.purpose AS to_purpose, recipient.app_id AS to_app_id, sender.purpose AS from_purpose,
       sender.app_id AS from_app_id,
       (SELECT state FROM transfers c WHERE c.chain = t.chain AND c.tx_id = t.tx_id
          AND c.position = t.position || '${REVERSED}') AS counterpart
     FROM transfers t JOIN addresses recipient ON recipient.address_id = t.address_id
       LEFT JOIN addresses sender ON sender.address_id = t.from_address_id
     WHERE t.chain = $1 AND t.tx_id = $2 AND t.position = $3 AND t.state = 'final'
       AND NOT ${isCounterpart('t')} FOR UPDATE OF t`,
    [identity.chain, identity.txId, identity.position],
  );
  if (row === undefined) return null;
  const { from_purpose: fromPurpose } = row;
  return {
    transfer: toTransfer(row),
    disposition: row.disposition,
    tradeNo: row.trade_no,
    to: { address: row.to_address, purpose: row.to_purpose, appId: row.to_app_id },
    from:
      fromPurpose === null
        ? null
        : { address: row.from_address, purpose: fromPurpose, appId: row.from_app_id },
    counterpart: row.counterpart,
  };
}

/** Writes the counterpart of a locked receipt as final, its sides swapped. */
export async function insertCounterpart(
  tx: Tx,
  receipt: Identity,
  {
    position,
    block,
    disposition,
  }: Pick<Transfer, 'position'> & {
    readonly block: BlockStamp;
    readonly disposition: 'reversed' | 'own';
  },
): Promise<void> {
  const rows = await tx.write(
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, disposition, address_id, from_address_id, app_id, trade_no)
     SELECT chain, tx_id, $4, ordinal, currency_id, to_address, from_address, units, $5, $6, $7, 'final', $8,
       from_address_id, address_id, app_id, trade_no
     FROM transfers WHERE chain = $1 AND tx_id = $2 AND position = $3 RETURNING tx_id`,
    [
      receipt.chain,
      receipt.txId,
      receipt.position,
      position,
      block.number,
      block.hash,
      block.time,
      disposition,
    ],
  );
  assert(rows.length === 1, `receipt ${receipt.txId} was locked`);
}

/**
 * Whether the books hold a receipt that a balance alone showed, at the same address in a block above the receipt. The search
 * for internal transactions books so whatever coin an address holds beyond the books, a returned receipt included. It takes
 * the block from one provider, so the block that holds the receipt again sets no bound.
 */
export async function isFoundByBalance(
  reader: Reader,
  { chain, txId, position }: Identity,
): Promise<boolean> {
  const rows = await reader.read(
    `SELECT FROM transfers gone JOIN transfers t USING (address_id, chain, currency_id)
     WHERE gone.chain = $1 AND gone.tx_id = $2 AND gone.position = $3
       AND t.tx_id LIKE 'balance:%' AND t.state IN ('seen', 'final') AND t.block_number > gone.block_number
     LIMIT 1`,
    [chain, txId, position],
  );
  return rows.length > 0;
}

/** The receipt is on the chain again, so its counterpart does not count any more. */
export async function orphanCounterpart(tx: Tx, { chain, txId, position }: Identity): Promise<void> {
  await tx.write(
    `UPDATE transfers SET state = 'orphaned', disposition = NULL WHERE chain = $1 AND tx_id = $2 AND position = $3`,
    [chain, txId, position],
  );
}
