// A row of transfers as the rest of Ducat knows it.
import type { Transfer } from '@ducat/core/chain/transfer';
import { fromNumeric, toNumeric } from '../amounts.ts';
import type { SqlValue } from '../../postgres/tx.ts';

export interface TransferRow {
  readonly chain: string;
  readonly tx_id: string;
  readonly position: string;
  readonly currency_id: number;
  readonly from_address: string;
  readonly to_address: string;
  readonly units: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly block_time: number;
}

export function toTransfer(row: TransferRow): Transfer {
  return {
    chain: row.chain,
    txId: row.tx_id,
    position: row.position,
    from: row.from_address,
    to: row.to_address,
    amount: fromNumeric(row.currency_id, row.units),
    block: { number: row.block_number, hash: row.block_hash, time: row.block_time },
  };
}

/** Chains, transaction ids and positions, as three lists for `unnest`: together the identity of each transfer. */
export function identityLists(
  transfers: readonly Pick<Transfer, 'chain' | 'txId' | 'position'>[],
): readonly [SqlValue, SqlValue, SqlValue] {
  return [
    transfers.map((transfer) => transfer.chain),
    transfers.map((transfer) => transfer.txId),
    transfers.map((transfer) => transfer.position),
  ];
}

/** Currencies, senders, recipients and units, as four lists for `unnest`. */
export function contentLists(
  transfers: readonly Transfer[],
): readonly [SqlValue, SqlValue, SqlValue, SqlValue] {
  return [
    transfers.map((transfer) => transfer.amount.currencyId),
    transfers.map((transfer) => transfer.from),
    transfers.map((transfer) => transfer.to),
    transfers.map((transfer) => toNumeric(transfer.amount)),
  ];
}
