// payouts.create: the person asks for a payout by the same checks and the same flow as the API, at the cost they saw.
import { isAppOn } from '@ducat/core/access/app-state';
import { add } from '@ducat/core/money/amount';
import { parseAmount } from '@ducat/core/money/decimal';
import { changeOf } from '@ducat/core/payout/open-payout';
import { insertAsker } from '../../../db/tables/payouts/payout-askers.ts';
import { findPayoutByKey, type PayoutRecord } from '../../../db/tables/payouts/payouts.ts';
import type { RefundOf } from '../../../flows/payouts/refund-order.ts';
import { findOwnApp, SWITCHED_OFF } from '../apps/own-app.ts';
import { answer, type Handler, refusal, refused, unknown } from '../call.ts';
import type { ApiCall } from '../data-port.ts';
import type { MerchantCall } from '../merchant-scope.ts';
import { readTexts, type Texts } from '../texts.ts';
import { keyOfRequest, nameOfRequest } from './payout-key.ts';
import { findOwnPayout, presentPayout } from './payout-rows.ts';
import { checkPayout } from './quote-payout.ts';

export const handlePayoutCreate: Handler<'payouts.create'> = async (call, request) => {
  const {
    app_id: appId,
    request_id: requestId,
    most_cost: mostCost,
    fee_mode: feeMode,
    refund: wanted,
    merchant_id: _merchant,
    ...wish
  } = request;
  const app = await findOwnApp(call, appId);
  if (app === null) return unknown('app');
  if (!isAppOn(app)) return refusal('conflict', SWITCHED_OFF);
  const name = nameOfRequest(requestId);
  const standing = await findPayoutByKey(call.reader, appId, keyOfRequest(requestId));
  let bound: Pick<ApiCall, 'shown'> = {};
  // A repeated click is answered with the payout that the first one made, whatever a payout would cost by now.
  if (standing === null) {
    const checked = await checkPayout(call, app, wish);
    if (!checked.ok) return refused(checked.refusal);
    const { costs, quoted, rules } = checked.value;
    const seen = parseAmount(mostCost, quoted.currency);
    if (seen === null)
      return refusal('field-invalid', 'must be the cost that was shown', { field: 'most_cost' });
    bound = { shown: { mostCost: seen, feeMode } };
    const now = { cost: add(costs.serviceCharge, costs.gas), feeMode: rules.feeMode };
    // The API makes a quote of its own later, and that quote is the one that binds.
    const changed = changeOf(bound, now);
    if (changed !== null) return refusal('changed', changed);
  }
  const texts = await readTexts({ ...call.deps, reader: call.reader });
  const by = call.session.person.email;
  const refund = wanted === undefined ? null : { orderTradeNo: wanted.trade_no, by, reason: wanted.reason };
  const apiCall: ApiCall = {
    app,
    name,
    transact: recording(call, texts, `${name}${refundText(refund)}`),
    ...bound,
    ...(refund === null ? {} : { refund }),
  };
  const created = await call.deps.merchantApi.createPayout(apiCall, wish);
  if (!created.ok) return refused(created.refusal);
  const payout = await findOwnPayout(call, created.value.tradeNo);
  if (payout === null) return unknown('payout');
  return answer({ payout: presentPayout(payout, texts) });
};

/** The API's transaction. Where the flow made a payout, the asker and the entry of the audit log are written in it too. */
function recording(call: MerchantCall, texts: Texts, how: string): ApiCall['transact'] {
  return (flow, shape) =>
    call.deps.transact(
      async (tx) => {
        const result = await flow(tx);
        const made = madeBy(result);
        if (made === null) return result;
        await insertAsker(tx, made.tradeNo, call.session.person.personId);
        await call.record(tx, { subject: made.tradeNo, detail: detailOf(made, texts, how) });
        return result;
      },
      shape === 'one-statement' ? undefined : shape,
    );
}

function madeBy(result: unknown): PayoutRecord | null {
  if (typeof result !== 'object' || result === null || !('outcome' in result)) return null;
  // Only the flow that makes payouts has this outcome, with the payout beside it.
  return result.outcome === 'created' && 'payout' in result ? (result.payout as PayoutRecord) : null;
}

function refundText(refund: RefundOf | null): string {
  return refund === null ? '' : `, refund of ${refund.orderTradeNo}: ${refund.reason}`;
}

function detailOf({ appId, receipt, chain, toAddress }: PayoutRecord, texts: Texts, how: string): string {
  const { currency_id: currencyId, amount } = texts.money(receipt);
  return `${amount} of currency ${currencyId} of ${appId} to ${texts.address(chain, toAddress)}, ${how}`;
}
