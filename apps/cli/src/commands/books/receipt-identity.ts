// A receipt as a person types it: chain/transaction/position.
import type { TransferIdentity } from '@ducat/gateway/db/tables/transfers/receipts';
import { CommandError } from '../../command-error.ts';

/** A position may hold anything but is never empty; chain and transaction hold no slash. */
export function receiptIdentity(typed: string): TransferIdentity {
  const [, chain, txId, position] = /^([^/]+)\/([^/]+)\/(.+)$/.exec(typed) ?? [];
  if (chain === undefined || txId === undefined || position === undefined) {
    throw new CommandError(`${typed} is no receipt: give it as it is listed, chain/transaction/position`);
  }
  return { chain, txId, position };
}
