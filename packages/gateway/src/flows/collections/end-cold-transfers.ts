// Books transfers that reached cold storage, in the database transaction in which their blocks become final.
import { bookColdTransfer } from '@ducat/core/ledger/cold-recipes';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import type { EndedOutgoing } from '../outgoing/settle-outgoing.ts';

/** A failed transfer moved nothing. A mismatched one stays as it is, because a person decides about it. */
export async function endColdTransfers(
  tx: Tx,
  ended: readonly EndedOutgoing[],
  nowMs: number,
): Promise<void> {
  const arrived = ended.filter(
    ({ subjectKind, verdict }) => subjectKind === 'cold' && verdict === 'succeeded',
  );
  const entries = arrived.map(({ subjectId: coldTransferId, promised: { to, amount }, inclusion }) =>
    bookColdTransfer({ coldTransferId, chain: inclusion.chain, to, amount }),
  );
  await insertEntries(tx, entries, nowMs);
}
