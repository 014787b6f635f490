// A transfer that a person saw on the chain, in a transaction of ours whose block was not read for its currency.
import { assert } from '@ducat/core/assert';
import type { Amount } from '@ducat/core/money/amount';
import type { Tx } from '../../postgres/tx.ts';
import { toNumeric } from '../amounts.ts';
import type { TransferIdentity } from './receipts.ts';

export interface UnreadTransfer {
  /** The wallet that sent it. */
  readonly from: string;
  readonly toAddress: string;
  readonly receipt: Amount;
}

/** Writes the transfer as final, in the block of its transaction. */
export async function insertUnread(
  tx: Tx,
  { chain, txId, position }: TransferIdentity,
  { from, toAddress, receipt }: UnreadTransfer,
): Promise<void> {
  const rows = await tx.write(
    `INSERT INTO transfers (chain, tx_id, position, ordinal, currency_id, from_address, to_address, units, block_number,
       block_hash, block_time, state, disposition, from_address_id)
     SELECT i.chain, i.tx_id, $3, 0, $4, d.address, $5, $6, i.block_number, i.block_hash, i.block_time, 'final', 'sent',
       d.address_id
     FROM inclusions i JOIN addresses d USING (address_id)
     WHERE i.chain = $1 AND i.tx_id = $2 AND i.final AND d.address = $7 RETURNING tx_id`,
    [chain, txId, position, receipt.currencyId, toAddress, toNumeric(receipt), from],
  );
  assert(rows.length === 1, `${txId} is in one final block, and its wallet paid for it`);
}
