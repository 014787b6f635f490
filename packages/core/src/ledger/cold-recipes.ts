// How transfers to and from cold storage are booked: the money is owed to the same apps as before, and held elsewhere.
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

/** The transfer arrived: what was in `sent` is in cold storage now. */
export function bookColdTransfer({ coldTransferId, chain, to, amount }: ColdTransfer): Entry {
  return entryOf('cold-transfer', coldTransferId, [
    { account: sentOf(chain), amount },
    { account: coldOf(chain, to), amount: negate(amount) },
  ]);
}

/** Money came back to a wallet. What a cold address sends beyond its balance in the books was the operator's own. */
export function bookColdReturn(transfer: Transfer, to: OwnAddress): Entry {
  return entryOf('move', transferReference(transfer), [
    { account: coldOf(transfer.chain, transfer.from), amount: transfer.amount },
    { account: custodyAt(transfer.chain, to), amount: negate(transfer.amount) },
  ]);
}
