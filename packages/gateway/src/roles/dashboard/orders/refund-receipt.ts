// receipts.refund: a person sends a receipt back that counts for no order; it becomes a payout of its own amount.
import { parseAmount } from '@ducat/core/money/decimal';
import { insertAsker } from '../../../db/tables/payouts/payout-askers.ts';
import { findReceipt } from '../../../db/tables/transfers/receipts.ts';
import { refundReceipt } from '../../../flows/payouts/refund-receipt.ts';
import { newPayoutNo } from '../../../runtime/ids.ts';
import { findOwnApp, SWITCHED_OFF } from '../apps/own-app.ts';
import { answer, type Handler, refusal, refused, unknown } from '../call.ts';
import { findOwnPayout, presentPayout } from '../payouts/payout-rows.ts';
import { readTexts } from '../texts.ts';

export const handleRefund: Handler<'receipts.refund'> = async (call, request) => {
  const { deps, nowMs, session, reader } = call;
  const { chain: name, tx_id: txId, position, reason } = request;
  const receipt = { chain: name, txId, position };
  const found = await findReceipt(reader, receipt);
  const app = found === null || found.appId === null ? null : await findOwnApp(call, found.appId);
  if (found === null || app === null) return unknown('receipt');
  if (!app.enabled) return refusal('conflict', SWITCHED_OFF);
  const { amount } = found.transfer;
  const priced = await deps.merchantApi.priceRefund(app, { amount, to: request.to_address });
  if (!priced.ok) return refused(priced.refusal);
  const gas = parseAmount(request.keep, priced.value.currency);
  if (gas === null) return refusal('field-invalid', 'has more decimals than the currency', { field: 'keep' });
  const [tradeNo, by] = [newPayoutNo(deps.world), session.person.email];
  const { appId } = app;
  const outcome = await deps.transact(async (tx) => {
    // Without a value, every limit for a second person applies.
    const refund = { ...priced.value, receipt, appId, tradeNo, gas, value: null, by, reason, nowMs };
    const made = await refundReceipt(tx, refund);
    if (made.outcome !== 'opened') return made.outcome;
    await insertAsker(tx, tradeNo, session.person.personId);
    await call.record(tx, { subject: tradeNo, detail: `${name} ${txId} ${position}: ${reason}` });
    return made.outcome;
  });
  if (outcome !== 'opened') {
    if (outcome === 'unknown-receipt' || outcome === 'no-app') return unknown('receipt');
    return refusal(outcome === 'refunded' ? 'changed' : 'conflict', WHY_NOT[outcome]);
  }
  const payout = await findOwnPayout(call, tradeNo);
  if (payout === null) return unknown('payout');
  return answer({ payout: presentPayout(payout, await readTexts({ ...deps, reader })) });
};

const WHY_NOT = {
  counts: 'it counts for its order: return it by a payout',
  refunded: 'it goes back or went back already',
  absurd: 'it is more than its currency is believed to move: ask the operator',
  'less-than-gas': 'it is no more than what would be kept of it',
  'balance-short': 'the balance does not cover it any more',
} as const;
