// Ends an open transaction of ours whose block the books skipped, by what a quorum reports of that block.
import { assert } from '@ducat/core/assert';
import type { Inclusion } from '@ducat/core/chain/inclusion';
import type { Transfer } from '@ducat/core/chain/transfer';
import { type Verdict, verdictOn } from '@ducat/core/outgoing/promise';
import { areOthersOver } from '@ducat/core/payout/own-transaction';
import type { SubjectKind } from '@ducat/core/signing/transfer-intent';
import type { Tx } from '../../db/postgres/tx.ts';
import { appendAuditEntry } from '../../db/tables/access/audit-log.ts';
import { findOurs } from '../../db/tables/addresses.ts';
import { type ChainCursor, lockCursor } from '../../db/tables/cursors.ts';
import type { PayoutEventWriting } from '../../db/tables/deliveries/payout-event-row.ts';
import { insertInclusions } from '../../db/tables/outgoing/inclusions.ts';
import { lockUnread, type UnreadOutgoing } from '../../db/tables/outgoing/unread.ts';
import { insertEnding } from '../../db/tables/payouts/payout-endings.ts';
import { insertSeen } from '../../db/tables/transfers/insert-transfers.ts';
import { lockTransfersToSettle } from '../../db/tables/transfers/settle-transfers.ts';
import { endColdTransfers } from '../collections/end-cold-transfers.ts';
import { settleOutgoing } from '../outgoing/settle-outgoing.ts';
import { endPayouts } from '../payouts/end-payouts.ts';
import { SETTLED_AT_ONCE, type Settling, settleThrough } from './settle.ts';

export interface EndUnread extends Settling, PayoutEventWriting {
  /** What the transaction is for. */
  readonly subject: { readonly kind: SubjectKind; readonly id: string };
  /** The inclusions of our transactions in one final block, and its transfers, as a quorum reports them. */
  readonly inclusions: readonly Inclusion[];
  readonly transfers: readonly Transfer[];
  /** Who ends the transaction, and why: kept for ever. */
  readonly by: string;
  readonly reason: string;
  /** The approver who agrees; null where no approver was asked. */
  readonly approvedBy: string | null;
}

export type EndedUnread =
  | { readonly outcome: 'ended'; readonly verdict: Exclude<Verdict, 'mismatched'> }
  /** The subject has no open signed transaction. */
  | { readonly outcome: 'unknown' }
  /** The block holds no variant of the transaction. */
  | { readonly outcome: 'not-in-block' }
  /** The books decide: they have read this block, or the transaction was not open when blocks were skipped. */
  | { readonly outcome: 'not-skipped' }
  /** Another variant may still be included, or another skipped block may hold it. */
  | { readonly outcome: 'on-its-way' }
  /** The transaction moved something else than promised, so it stays open. */
  | { readonly outcome: 'mismatch' };

/**
 * Writes what reading the skipped block would have written of this transaction, by the same functions: its transfers,
 * its inclusion, its end, its nonce, its fee, and the end of its subject.
 */
export async function endUnread(tx: Tx, input: EndUnread): Promise<EndedUnread> {
  const { chain, subject, nowMs } = input;
  const cursor = await lockCursor(tx, chain.name, nowMs);
  const outgoing = await lockUnread(tx, chain.name, subject);
  if (outgoing === null) return { outcome: 'unknown' };
  const inclusion = input.inclusions.find(({ txId }) => outgoing.variants.some((own) => own.txId === txId));
  if (inclusion === undefined) return { outcome: 'not-in-block' };
  if (!isSkipped(outgoing, inclusion, cursor)) return { outcome: 'not-skipped' };
  if (!areOthersOver(outgoing, inclusion, cursor.finalTime)) return { outcome: 'on-its-way' };
  const moved = await oursIn(tx, input, inclusion);
  const verdict = verdictIn(outgoing, inclusion, moved, input);
  // mark: a-skipped-block-shows-the-promise
  if (verdict === 'mismatched') return { outcome: 'mismatch' };
  await writeRead(tx, { ...input, searchedTime: cursor.searchedTime }, inclusion, moved);
  const paidBy = moved.find(({ from }) => from === outgoing.promised.from) ?? null;
  await writeWord(tx, input, inclusion, paidBy);
  return { outcome: 'ended', verdict };
}

function isSkipped(
  { variants, mayBeUnread }: UnreadOutgoing,
  { txId, block }: Inclusion,
  { startNumber }: ChainCursor,
): boolean {
  // mark: only-skipped-blocks-are-looked-up
  const isUnknown = variants.some((own) => own.txId === txId && !own.isHeld);
  return startNumber !== null && block.number < startNumber && isUnknown && mayBeUnread;
}

/** The transfers of the transaction from or to an address of ours. */
async function oursIn(
  tx: Tx,
  { chain, transfers }: EndUnread,
  { txId }: Inclusion,
): Promise<readonly Transfer[]> {
  const moved = transfers.filter((transfer) => transfer.txId === txId);
  const ours = await findOurs(tx, chain.family, new Set(moved.flatMap(({ from, to }) => [from, to])));
  return moved.filter(({ from, to }) => ours.has(from) || ours.has(to));
}

function verdictIn(
  { promised, action }: UnreadOutgoing,
  inclusion: Inclusion,
  moved: readonly Transfer[],
  { chain }: EndUnread,
): Verdict {
  const isRead = chain.currencies.some(({ currencyId }) => currencyId === promised.amount.currencyId);
  return verdictOn(action, promised, inclusion, isRead ? moved : null);
}

/** Does what accepting and settling the block would have done, for this transaction alone. */
async function writeRead(
  tx: Tx,
  input: EndUnread & Pick<ChainCursor, 'searchedTime'>,
  inclusion: Inclusion,
  moved: readonly Transfer[],
): Promise<void> {
  const { chain, nowMs, searchedTime } = input;
  const { number } = inclusion.block;
  const placed = moved.map((transfer, index) => ({ transfer, ordinal: index + 1 }));
  await insertSeen(tx, chain.family, placed);
  await insertInclusions(tx, chain, [inclusion]);
  const range = { upTo: number, above: number - 1 };
  const ready = await lockTransfersToSettle(tx, chain.name, range, SETTLED_AT_ONCE + 1);
  await settleThrough(tx, input, { upTo: number, ready, searchedTime });
  const ended = await settleOutgoing(tx, chain, number, nowMs);
  assert(ended.length === 1, `block ${number} of ${chain.name} ends one transaction`);
  await endPayouts(tx, ended, input);
  await endColdTransfers(tx, ended, nowMs);
}

async function writeWord(
  tx: Tx,
  { subject, chain, by, reason, approvedBy, nowMs: atMs }: EndUnread,
  { txId, block }: Inclusion,
  transfer: Transfer | null,
): Promise<void> {
  const { kind, id } = subject;
  if (kind === 'payout') return insertEnding(tx, { tradeNo: id, transfer, by, approvedBy, reason, atMs });
  await appendAuditEntry(tx, {
    atMs,
    personId: null,
    operation: 'senders.end',
    merchantId: null,
    subject: id,
    detail: `${kind} by ${txId} in block ${block.number} of ${chain.name}, by ${by}: ${reason}`,
    address: '',
  });
}
