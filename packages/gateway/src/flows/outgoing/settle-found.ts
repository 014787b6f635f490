// Books the fee of a transaction that is missing in a restored backup, and spends its nonce where that is known.
import { assert } from '@ducat/core/assert';
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import { bookNetworkFee } from '@ducat/core/ledger/recipes';
import { isPositive } from '@ducat/core/money/amount';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import { insertFinalInclusion } from '../../db/tables/outgoing/inclusions.ts';
import { raiseFinalNonces } from '../../db/tables/outgoing/senders.ts';
import { endOpen } from '../../db/tables/payouts/payout-endings.ts';

export interface SettleFound {
  /** The final inclusion of the transaction, as a quorum reports it. */
  readonly inclusion: Inclusion;
  readonly family: ChainFamily;
  /** The transaction that a person found. Its block was read while the books did not know the transaction. */
  readonly txId: string;
  /** The open outgoing transaction that this transaction belongs to; null where the books have none. */
  readonly own: {
    readonly outgoingId: string;
    readonly senderId: number;
    readonly nonce: number | null;
  } | null;
  readonly nowMs: number;
}

/** Writes what reading the block would have written besides the transfers. What the books hold already stays as it is. */
export async function settleFound(
  tx: Tx,
  { inclusion, family, txId, own, nowMs }: SettleFound,
): Promise<void> {
  assert(inclusion.txId === txId, `the inclusion is of ${txId}`);
  const payer = await insertFinalInclusion(tx, family, inclusion);
  if (payer !== null && isPositive(inclusion.fee))
    await insertEntries(tx, [bookNetworkFee(inclusion, payer)], nowMs);
  if (own === null) return;
  await endOpen(tx, own.outgoingId, { state: 'succeeded', txId, nowMs });
  if (own.nonce !== null) await raiseFinalNonces(tx, new Map([[own.senderId, own.nonce + 1]]));
}
