// Books what reached cold storage: in the transaction in which its block becomes final.
import { bookColdTransfer } from '@ducat/core/ledger/cold-recipes';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import type { EndedOutgoing } from '../outgoing/settle-outgoing.ts';

/** What failed moved nothing. What moved something else than promised stays as it is: a person decides that. */
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
