// A receipt of the list, and its identity in a request.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';

export type ReceiptRow = ResponseOf<'receipts.list'>['receipts'][number];

/** The identity of a receipt of the list, or of a transfer in the story of an order. */
export type ReceiptIdentity = Pick<ReceiptRow, 'chain' | 'tx_id' | 'position'>;

export function identityOf({ chain, tx_id, position }: ReceiptIdentity) {
  return { chain, tx_id, position };
}
