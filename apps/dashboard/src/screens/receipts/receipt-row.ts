// A receipt of the list, and what names it in a request.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';

export type ReceiptRow = ResponseOf<'receipts.list'>['receipts'][number];

export function identityOf({ chain, tx_id, position }: ReceiptRow) {
  return { chain, tx_id, position };
}
