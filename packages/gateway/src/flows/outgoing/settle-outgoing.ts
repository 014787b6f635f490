// Ends the outgoing transactions of final blocks, in the database transaction in which those blocks become final.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { bookNetworkFee } from '@ducat/core/ledger/recipes';
import { isPositive } from '@ducat/core/money/amount';
import { type Verdict, verdictOn } from '@ducat/core/outgoing/promise';
import type { Tx } from '../../db/postgres/tx.ts';
import { insertEntries } from '../../db/tables/books/ledger.ts';
import {
  endOutgoing,
  type IncludedOutgoing,
  lockIncluded,
  readMoved,
} from '../../db/tables/outgoing/endings.ts';
import { raiseFinalNonces } from '../../db/tables/outgoing/senders.ts';

/** An ended outgoing transaction with its verdict. The flow of its subject books the rest and writes the event. */
export interface EndedOutgoing extends IncludedOutgoing {
  readonly verdict: Verdict;
}

/** Call it after the transfers up to the height `upTo` are settled. */
export async function settleOutgoing(
  tx: Tx,
  { name: chain, currencies }: Pick<ChainDefinition, 'name' | 'currencies'>,
  upTo: number,
  nowMs: number,
): Promise<readonly EndedOutgoing[]> {
  const included = await lockIncluded(tx, chain, upTo);
  if (included.length === 0) return [];
  const moved = await readMoved(
    tx,
    chain,
    included.map(({ inclusion }) => inclusion.txId),
  );
  const ended = included.map((one) => {
    const { promised, inclusion, action } = one;
    const isRead = currencies.some(({ currencyId }) => currencyId === promised.amount.currencyId);
    const transfers = isRead ? (moved.get(inclusion.txId) ?? []) : null;
    return { ...one, verdict: verdictOn(action, promised, inclusion, transfers) };
  });
  const endings = ended.map(({ outgoingId, inclusion, verdict }) => ({
    outgoingId,
    verdict,
    txId: inclusion.txId,
  }));
  await endOutgoing(tx, chain, endings, nowMs);
  await raiseFinalNonces(tx, spentNonces(ended));
  const paid = ended.filter(({ inclusion }) => isPositive(inclusion.fee));
  const entries = paid.map(({ inclusion, payer }) => bookNetworkFee(inclusion, payer));
  await insertEntries(tx, entries, nowMs);
  return ended;
}

/** By sender, the nonce after the highest spent one. A chain includes nonces in order, so all lower ones are spent too. */
function spentNonces(ended: readonly EndedOutgoing[]): ReadonlyMap<number, number> {
  const spent = new Map<number, number>();
  for (const { senderId, nonce } of ended)
    if (nonce !== null) spent.set(senderId, Math.max(spent.get(senderId) ?? 0, nonce + 1));
  return spent;
}
