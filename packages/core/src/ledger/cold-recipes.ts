// How money that goes to cold storage and comes back is booked: it is owed to the same apps as before, and lies elsewhere.
import type { Transfer } from '../chain/transfer.ts';
import { type Amount, negate } from '../money/amount.ts';
import { coldOf, custodyAt, type OwnAddress, sentOf } from './account.ts';
import { type Entry, entryOf } from './entry.ts';
import { transferReference } from './recipes.ts';

export interface ColdTransfer {
  readonly coldTransferId: string;
  readonly chain: string;
  /** A cold address of the chain. */
  readonly to: string;
  readonly amount: Amount;
}

/** It arrived: what was sent is not gone. */
export function bookColdTransfer({ coldTransferId, chain, to, amount }: ColdTransfer): Entry {
  return entryOf('cold-transfer', coldTransferId, [
    { account: sentOf(chain), amount },
    { account: coldOf(chain, to), amount: negate(amount) },
  ]);
}

/** It came back to a wallet. What a cold address sends beyond what the books have there was the operator's own. */
export function bookColdReturn(transfer: Transfer, to: OwnAddress): Entry {
  return entryOf('move', transferReference(transfer), [
    { account: coldOf(transfer.chain, transfer.from), amount: transfer.amount },
    { account: custodyAt(transfer.chain, to), amount: negate(transfer.amount) },
  ]);
}
