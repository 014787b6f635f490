// payouts.read: one payout with its whole story.
import type { RequestOf, ResponseOf } from '@ducat/contract/dashboard/registry';
import { refusalIn } from '@ducat/core/outgoing/refusal';
import { amountOf } from '@ducat/core/money/amount';
import { listMerchantEvents } from '../../../db/reports/dashboard/merchant-events.ts';
import { readOutgoingOf } from '../../../db/reports/dashboard/money/outgoing-story.ts';
import type { PayoutListRow } from '../../../db/reports/dashboard/money/payout-list.ts';
import { readAttemptsOf } from '../../../db/reports/dashboard/subject-attempts.ts';
import { PAYOUT_FACTS, readSubjectEntries } from '../../../db/reports/dashboard/subject-entries.ts';
import { readSuspensions } from '../../../db/tables/books/currency-suspensions.ts';
import { readCursors } from '../../../db/tables/cursors.ts';
import { findRefundBy } from '../../../db/tables/payouts/order-refunds.ts';
import { readApprovals } from '../../../db/tables/payouts/payout-approvals.ts';
import { type Answer, answer, unknown } from '../call.ts';
import { BEHIND_ALL, type MerchantCall } from '../merchant-scope.ts';
import { presentEntry, presentOutgoing, presentWebhook } from '../orders/timeline-entries.ts';
import { readTexts, seconds, type Texts } from '../texts.ts';
import { findOwnPayout, presentPayout } from './payout-rows.ts';

const MAX_EVENTS = 100;

type Looking = Pick<MerchantCall, 'reader' | 'deps' | 'nowMs' | 'merchantId'>;

/** Also called for live pages, which have no HTTP request, so it needs only these parts of a call. */
export async function handlePayoutRead(
  call: Looking,
  { trade_no: tradeNo }: RequestOf<'payouts.read'>,
): Promise<Answer<ResponseOf<'payouts.read'>>> {
  const payout = await findOwnPayout(call, tradeNo);
  if (payout === null) return unknown('payout');
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  return answer({
    now: seconds(call.nowMs),
    payout: presentPayout(payout, texts),
    cost: presentCost(payout, texts),
    fee_cap_currency_id: payout.feeCap.currencyId,
    fee_cap: texts.amount(payout.feeCap),
    refund: await refundOf(call, tradeNo),
    waits_for: await waitsFor(call, payout),
    timeline: [...(await timelineOf(call, payout, texts))],
  });
}

async function refundOf({ reader }: Looking, tradeNo: string): Promise<ResponseOf<'payouts.read'>['refund']> {
  const refund = await findRefundBy(reader, tradeNo);
  if (refund === null) return null;
  const { orderTradeNo, by, reason } = refund;
  return { order_trade_no: orderTradeNo, by, reason };
}

type CostParts = Pick<
  PayoutListRow,
  'amount' | 'serviceCharge' | 'gas' | 'receipt' | 'reserved' | 'networkFee'
>;

export function presentCost(parts: CostParts, texts: Texts) {
  return {
    ...texts.money(parts.amount),
    service_charge: texts.amount(parts.serviceCharge),
    gas: texts.amount(parts.gas),
    receipt: texts.amount(parts.receipt),
    reserved: texts.amount(parts.reserved),
    network_fee_currency_id: parts.networkFee.currencyId,
    network_fee: texts.amount(parts.networkFee),
  };
}

async function waitsFor(
  { reader, nowMs }: Looking,
  { tradeNo, status, needsApproval, approvedUntil, isClaimed, endTime, chain, currencyId }: PayoutListRow,
): Promise<ResponseOf<'payouts.read'>['waits_for']> {
  if (isClaimed && needsApproval && endTime === null) {
    // The signer refused all approvals that were given. It is asked again from time to time and refuses the same approvals
    // again.
    const [sent] = await readOutgoingOf(reader, ['payout'], [tradeNo]);
    const isUnsigned = sent?.state === 'waiting' || sent?.state === 'prepared';
    const isRefused = refusalIn(sent?.trouble ?? null)?.startsWith('approval-') === true;
    return isUnsigned && isRefused ? 'approval' : null;
  }
  if (status !== 'PROGRESS' || isClaimed) return null;
  if (needsApproval && (approvedUntil ?? 0) <= seconds(nowMs)) return 'approval';
  if (((await readCursors(reader)).get(chain)?.haltedReason ?? null) !== null) return 'chain';
  const suspended = await readSuspensions(reader);
  return suspended.some((one) => one.currencyId === currencyId) ? 'currency' : 'payer';
}

type Entry = ResponseOf<'payouts.read'>['timeline'][number];

async function timelineOf(
  { reader, deps }: Looking,
  payout: PayoutListRow,
  texts: Texts,
): Promise<readonly Entry[]> {
  const { tradeNo, appId } = payout;
  const events = await listMerchantEvents(reader, {
    appIds: [appId],
    tradeNo,
    before: BEHIND_ALL,
    from: '',
    limit: MAX_EVENTS,
  });
  const attempts = await readAttemptsOf(
    reader,
    events.map(({ eventId }) => eventId),
  );
  const approvals = await readApprovals(reader, tradeNo);
  const sent = await readOutgoingOf(reader, ['payout'], [tradeNo]);
  // Read unwalled, as in `read-order.ts`; the payout itself was found by the walled reader.
  const entries = await readSubjectEntries(deps.reader, PAYOUT_FACTS, [tradeNo]);
  const feeCapIn = payout.feeCap.currencyId;
  const all: Entry[] = [
    { kind: 'created', at: payout.createTime },
    ...approvals.map(({ approver, expiry, feeCap, approvedAtMs }) => ({
      kind: 'approved' as const,
      at: seconds(approvedAtMs),
      approver,
      until: expiry,
      max_fee_currency_id: feeCapIn,
      max_fee: texts.amount(amountOf(feeCapIn, feeCap)),
    })),
    ...sent.map((one) => ({
      kind: 'sending' as const,
      at: seconds(one.createdAtMs),
      transaction: presentOutgoing(one, texts),
    })),
    ...endOf(payout),
    ...entries.map((entry) => presentEntry(entry, texts)),
    ...events.toReversed().map((event) => presentWebhook(event, attempts.get(event.eventId) ?? [])),
  ];
  return all.toSorted((one, other) => one.at - other.at);
}

function endOf({
  status,
  endTime,
  endTxId,
  endedBy,
  endReason,
  isDeclined,
}: PayoutListRow): readonly Entry[] {
  if (endTime === null || status === 'PROGRESS' || status === 'CONFIRMING-PROGRESS') return [];
  return [
    {
      kind: 'ended',
      at: endTime,
      status,
      tx_id: endTxId,
      by: endedBy,
      reason: endReason,
      declined: isDeclined,
    },
  ];
}
