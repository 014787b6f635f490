// A receipt as a person types it: chain/transaction/position.
import type { TransferIdentity } from '@ducat/gateway/db/tables/transfers/receipts';
import { CommandError } from '../../command-error.ts';

/** Chain and transaction contain no slash. A position may contain anything, but is never empty. */
export function receiptIdentity(typed: string): TransferIdentity {
  const [, chain, txId, position] = /^([^/]+)\/([^/]+)\/(.+)$/.exec(typed) ?? [];
  if (chain === undefined || txId === undefined || position === undefined) {
    throw new CommandError(`${typed} is no receipt: give it as it is listed, chain/transaction/position`);
  }
  return { chain, txId, position };
}
