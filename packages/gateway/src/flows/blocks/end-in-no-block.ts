// Ends an open transaction of ours on Tron that no block holds: every block that the books skipped was searched for it.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { isInNoBlock, type SearchedBlocks } from '@ducat/core/payout/own-transaction';
import { failPayout } from '@ducat/core/payout/transition';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import { lockCursor } from '../../db/tables/cursors.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { lockUnread } from '../../db/tables/outgoing/unread.ts';
import { endOpen, insertEnding, readFittingOutflow } from '../../db/tables/payouts/payout-endings.ts';
import { lockPayout } from '../../db/tables/payouts/payouts.ts';
import { writeMoved } from '../payouts/write-moved.ts';

export interface EndInNoBlock extends PayoutEventWriting {
  readonly chain: Pick<ChainDefinition, 'name'>;
  /** What the transaction is for. */
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
  readonly searched: SearchedBlocks;
  /** Who ends the transaction, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
}

/**
 * - `unknown`: the subject has no open signed transaction.
 * - `not-skipped`: the transaction was not open when blocks were skipped, so the books decide.
 * - `not-proven`: a block that was not searched could hold the transaction, or a block of the books holds it.
 * - `outflow-fits`: an outflow that no payout has taken moved exactly what this payout promised.
 */
export type EndedInNoBlock = 'ended' | 'unknown' | 'not-skipped' | 'not-proven' | 'outflow-fits';

/** A payout becomes `FAIL`. A collection, funding or transfer to cold storage counts as failed and is planned again. */
export async function endInNoBlock(tx: Tx, input: EndInNoBlock): Promise<EndedInNoBlock> {
  const { chain, subject, searched, nowMs } = input;
  const cursor = await lockCursor(tx, chain.name, nowMs);
  const outgoing = await lockUnread(tx, chain.name, subject);
  if (outgoing === null) return 'unknown';
  if (!outgoing.mayBeUnread) return 'not-skipped';
  const txId = outgoing.variants.at(-1)?.txId ?? null;
  if (txId === null || !isInNoBlock(outgoing, searched, cursor)) return 'not-proven';
  const proof = { txId, time: cursor.finalTime ?? 0 };
  const written =
    subject.kind === 'payout' ? await endPayout(tx, input, proof) : await writeEnd(tx, input, proof.txId);
  if (written === 'ended') await endOpen(tx, outgoing.outgoingId, { state: 'failed', txId, nowMs });
  return written;
}

async function endPayout(
  tx: Tx,
  input: EndInNoBlock,
  proof: { readonly txId: string; readonly time: number },
): Promise<EndedInNoBlock> {
  const { subject, by, reason, nowMs } = input;
  const payout = await lockPayout(tx, subject.id);
  if (payout === null) return 'unknown';
  const step = failPayout(payout, proof);
  if (step.outcome !== 'moved') return 'unknown';
  // A restored backup does not know variants that were signed after it. Such a variant may have paid.
  if ((await readFittingOutflow(tx, subject.id)) !== null) return 'outflow-fits';
  await writeMoved(tx, payout, step, { ...input, end: { ...proof, by: null, reason: null } });
  const ending = { tradeNo: subject.id, transfer: null, by, approvedBy: null, reason, atMs: nowMs };
  await insertEnding(tx, ending);
  return 'ended';
}

async function writeEnd(
  tx: Tx,
  { chain, subject: { kind, id }, searched: { from, to }, by, reason, nowMs: atMs }: EndInNoBlock,
  txId: string,
): Promise<'ended'> {
  await appendAuditEntry(tx, {
    atMs,
    personId: null,
    operation: 'senders.end',
    merchantId: null,
    subject: id,
    detail: `${kind} by ${txId}, which is in no block of ${chain.name} from ${from} to ${to}, by ${by}: ${reason}`,
    address: '',
  });
  return 'ended';
}
