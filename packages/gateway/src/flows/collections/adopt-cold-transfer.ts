// Ends a transfer to cold storage that the books do not know any more, by a final transfer to a cold address.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import { bookColdTransfer } from '@ducat/core/ledger/cold-recipes';
import { bookAdoption } from '@ducat/core/ledger/payout-recipes';
import { adoptionOf } from '@ducat/core/payout/own-transaction';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertColdTransfer, isColdAddress } from '../../db/tables/books/cold-storage.ts';
import { insertColdEnding, lockColdOutflow, lockFittingCold } from '../../db/tables/books/cold-endings.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { readCursors } from '../../db/tables/cursors.ts';
import { cancelWaiting } from '../../db/tables/outgoing/requests.ts';
import type { TransferIdentity } from '../../db/tables/transfers/receipts.ts';
import { settleFound } from '../outgoing/settle-found.ts';

export interface AdoptColdTransfer {
  /** The transfer that a person found: from a wallet to a cold address. */
  readonly found: TransferIdentity;
  readonly family: ChainFamily;
  /** The final inclusion of its transaction as a quorum reports it: who paid the fee, and how much. */
  readonly inclusion: Inclusion;
  /** The id under which the transfer to cold storage is kept. */
  readonly coldTransferId: string;
  /** Who ends the transfer, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
  readonly nowMs: number;
}

export type AdoptedColdTransfer =
  | 'ended'
  /** The books hold no such final outflow of a wallet, or it has ended a transfer or a payout already. */
  | 'no-such-outflow'
  /** The recipient is no address that the gateway was ever started with as cold. */
  | 'not-cold'
  /** An open transfer of the same wallet promises exactly this, and another variant of it may still be included. */
  | 'on-its-way';

/**
 * The chain proves that the money is at the cold address. The person only says that it was meant to go there. An open
 * transfer of the wallet that promises exactly the same counts as this one: it is cancelled, or counts as succeeded.
 */
export async function adoptColdTransfer(tx: Tx, input: AdoptColdTransfer): Promise<AdoptedColdTransfer> {
  const { found, family, inclusion, coldTransferId, by, reason, nowMs } = input;
  const outflow = await lockColdOutflow(tx, found);
  if (outflow === null) return 'no-such-outflow';
  const { chain, to, amount, txId } = outflow;
  // mark: cold-is-ended-at-a-cold-address
  if (!(await isColdAddress(tx, chain, to))) return 'not-cold';
  const open = await lockFittingCold(tx, outflow);
  const nowhere = { startNumber: null, finalTime: null, haltedReason: null };
  const adoption = adoptionOf(open, txId, (await readCursors(tx)).get(chain) ?? nowhere);
  // mark: cold-goes-once
  if (adoption === 'on-its-way') return adoption;
  if (open !== null && adoption === 'taken-back') await cancelWaiting(tx, 'cold', open.subjectId, nowMs);
  const own = adoption === 'succeeded' ? open : null;
  await settleFound(tx, { inclusion, family, txId, own, nowMs });
  await insertColdTransfer(tx, { coldTransferId, by, reason, nowMs });
  await insertColdEnding(tx, { coldTransferId, found, by, reason, nowMs });
  const adopted = outflow.disposition === 'outgoing' ? [bookAdoption(outflow)] : [];
  await insertEntries(tx, [...adopted, bookColdTransfer({ coldTransferId, chain, to, amount })], nowMs);
  return 'ended';
}
