// A payout of a list in the words of the contract.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { add } from '@ducat/core/money/amount';
import type { PayoutListRow } from '../../../db/reports/dashboard/money/payout-list.ts';
import { listMerchantPayouts } from '../../../db/reports/dashboard/money/payout-list.ts';
import { appsOf, BEHIND_ALL, type MerchantCall } from '../merchant-scope.ts';
import { seconds, type Texts, usdText } from '../texts.ts';

type Presented = ResponseOf<'payouts.list'>['payouts'][number];

export function presentPayout(payout: PayoutListRow, texts: Texts): Presented {
  const { askedBy } = payout;
  return {
    trade_no: payout.tradeNo,
    app_id: payout.appId,
    status: payout.status,
    ...texts.money(payout.amount),
    receipt: texts.amount(payout.receipt),
    cost: texts.amount(add(payout.serviceCharge, payout.gas)),
    reserved: texts.amount(payout.reserved),
    to_address: texts.address(payout.chain, payout.toAddress),
    to_label: payout.toLabel,
    asked_by: askedBy === null ? null : { person_id: askedBy.personId, name: askedBy.name },
    needs_approval: payout.needsApproval,
    approved_until: payout.approvedUntil,
    can_cancel: payout.status === 'PROGRESS' && !payout.isClaimed,
    value_usd: usdText(payout.value),
    create_time: payout.createTime,
    end_time: payout.endTime,
    tx_id: payout.endTxId,
  };
}

/** A payout of one of the merchant's apps; null for an unknown one and for another merchant's alike. */
export async function findOwnPayout(
  call: Pick<MerchantCall, 'reader' | 'merchantId' | 'nowMs'>,
  tradeNo: string,
): Promise<PayoutListRow | null> {
  const apps = (await appsOf(call)) ?? [];
  const [payout] = await listMerchantPayouts(call.reader, {
    appIds: apps.map(({ appId }) => appId),
    tradeNo,
    before: BEHIND_ALL,
    from: '',
    now: seconds(call.nowMs),
    limit: 1,
  });
  return payout ?? null;
}
