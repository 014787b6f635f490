// receipts.refund: a person refunds a receipt that counts for no order; the refund is a payout of the receipt's amount.
import { isAppOn } from '@ducat/core/access/app-state';
import { parseAmount } from '@ducat/core/money/decimal';
import { insertAsker } from '../../../db/tables/payouts/payout-askers.ts';
import { type RefundedReceipt, refundReceipt } from '../../../flows/payouts/refund-receipt.ts';
import { newPayoutNo } from '../../../runtime/ids.ts';
import { SWITCHED_OFF } from '../apps/own-app.ts';
import { answer, type Handler, refusal, refused, unknown } from '../call.ts';
import { findOwnPayout, presentPayout } from '../payouts/payout-rows.ts';
import { readTexts } from '../texts.ts';
import { findOwnReceipt } from './own-receipt.ts';

export const handleRefund: Handler<'receipts.refund'> = async (call, request) => {
  const { deps, nowMs, session } = call;
  const { to_address: to, otp_code: code, reason } = request;
  const found = await findOwnReceipt(call, request);
  if (found === null) return unknown('receipt');
  const { app, amount, receipt } = found;
  if (!isAppOn(app)) return refusal('conflict', SWITCHED_OFF);
  const priced = await deps.merchantApi.priceRefund(app, { amount, to, otp_code: code });
  if (!priced.ok) return refused(priced.refusal);
  const { leastGas, codeStep, ...terms } = priced.value;
  const gas = parseAmount(request.keep, terms.currency);
  if (gas === null) return refusal('field-invalid', 'has more decimals than the currency', { field: 'keep' });
  const [tradeNo, by] = [newPayoutNo(deps.world), session.person.email];
  const merchant = { appId: app.appId, leastGas, codeStep };
  const made = await deps.transact(async (tx) => {
    const refund = { ...terms, receipt, merchant, tradeNo, gas, by, reason, nowMs };
    const done = await refundReceipt(tx, refund);
    if (done.outcome !== 'opened') return done;
    await insertAsker(tx, tradeNo, session.person.personId);
    const { chain, txId, position } = receipt;
    const what = `${chain} ${txId} ${position} to ${terms.toAddress}, kept ${request.keep}: ${reason}`;
    await call.record(tx, { subject: tradeNo, detail: what });
    return done;
  });
  if (made.outcome !== 'opened') return whyNot(made);
  const payout = await findOwnPayout(call, tradeNo);
  if (payout === null) return unknown('payout');
  return answer({ payout: presentPayout(payout, await readTexts({ ...deps, reader: call.reader })) });
};

function whyNot(no: Exclude<RefundedReceipt, { readonly outcome: 'opened' }>) {
  switch (no.outcome) {
    case 'refused':
      return refused(no.refusal);
    case 'unknown-receipt':
    case 'no-app':
      return unknown('receipt');
    case 'refunded':
    case 'order-sent-back':
      return refusal('changed', WHY_NOT[no.outcome]);
    case 'gas-short':
    case 'less-than-gas':
      return refusal('field-invalid', WHY_NOT[no.outcome], { field: 'keep' });
    case 'counts':
    case 'absurd':
    case 'balance-short':
      return refusal('conflict', WHY_NOT[no.outcome]);
  }
}

const WHY_NOT = {
  counts: 'it counts for its order: return it by a payout',
  refunded: 'it, or a part of it, goes back or went back already',
  'order-sent-back':
    'it is more than its order has left, of which a refund went back: refund the rest of the order',
  absurd: 'it is more than its currency is believed to move: ask the operator',
  'less-than-gas': 'must be less than the receipt',
  'gas-short': 'must be the network fee at least, which rose meanwhile',
  'balance-short': 'the balance does not cover it any more',
} as const;
