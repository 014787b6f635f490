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
  const name = `dashboard:${requestId}`;
  const standing = await findPayoutByKey(call.reader, appId, `key:${name}`);
  let bound: Pick<ApiCall, 'shown'> = {};
  // A second click is answered with what the first one made, whatever it would cost by now.
  if (standing === null) {
    const checked = await checkPayout(call, app, wish);
    if (!checked.ok) return refused(checked.refusal);
    const { costs, quoted, rules } = checked.value;
    const seen = parseAmount(mostCost, quoted.currency);
    if (seen === null)
      return refusal('field-invalid', 'must be the cost that was shown', { field: 'most_cost' });
    bound = { shown: { mostCost: seen, feeMode } };
    const now = { cost: add(costs.serviceCharge, costs.gas), feeMode: rules.feeMode };
    // The API asks for a quote of its own, which is the one that is bound.
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

/** The API's transaction, with the person and the entry of the audit log in it where it made a payout. */
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
  // The flow that makes payouts has this outcome, and what it made beside it.
  return result.outcome === 'created' && 'payout' in result ? (result.payout as PayoutRecord) : null;
}

function refundText(refund: RefundOf | null): string {
  return refund === null ? '' : `, refund of ${refund.orderTradeNo}: ${refund.reason}`;
}

function detailOf({ appId, receipt, chain, toAddress }: PayoutRecord, texts: Texts, how: string): string {
  const { currency_id: currencyId, amount } = texts.money(receipt);
  return `${amount} of currency ${currencyId} of ${appId} to ${texts.address(chain, toAddress)}, ${how}`;
}
