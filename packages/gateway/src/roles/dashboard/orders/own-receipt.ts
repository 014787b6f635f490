// A final receipt of one of the merchant's apps.
import type { Amount } from '@ducat/core/money/amount';
import type { App } from '../../../db/tables/apps.ts';
import { findReceipt, type TransferIdentity } from '../../../db/tables/transfers/receipts.ts';
import { findOwnApp } from '../apps/own-app.ts';
import type { MerchantCall } from '../merchant-scope.ts';

export interface OwnReceipt {
  readonly receipt: TransferIdentity;
  readonly app: App;
  readonly amount: Amount;
}

/** Null for an unknown receipt and for another merchant's alike. */
export async function findOwnReceipt(
  call: Pick<MerchantCall, 'reader' | 'merchantId'>,
  {
    chain,
    tx_id: txId,
    position,
  }: { readonly chain: string; readonly tx_id: string; readonly position: string },
): Promise<OwnReceipt | null> {
  const receipt = { chain, txId, position };
  const found = await findReceipt(call.reader, receipt);
  const app = found === null || found.appId === null ? null : await findOwnApp(call, found.appId);
  return found === null || app === null ? null : { receipt, app, amount: found.transfer.amount };
}
