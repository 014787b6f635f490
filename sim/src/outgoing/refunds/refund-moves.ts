// What people send back: a part or all of an order that was paid or timed out, and receipts that count for no order.
import type { Currency } from '@ducat/core/chain/currency';
import { amountOf } from '@ducat/core/money/amount';
import { feeCapOf } from '@ducat/core/payout/open-payout';
import { refundReceipt } from '@ducat/gateway/flows/payouts/refund-receipt';
import { newPayoutNo } from '@ducat/gateway/runtime/ids';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { AnsweredOrder } from '../../actors/shoppers.ts';
import { decimalText } from '../../auditor.ts';
import type { Simulation } from '../../simulation.ts';
import type { Outgoing } from '../outgoing.ts';
import { readCollected, readRefundable, type RefundableRow } from './refund-books.ts';
import { askForPayout } from '../payout-moves.ts';
import { type PayoutPlan, recipient } from '../payout-plans.ts';

/**
 * The share of a receipt that the app keeps, in percent: for the network fee, and for the unit that collecting leaves
 * on Tron.
 */
const KEPT_SHARES = [1, 2, 10];
/** The share of what the order collected, in percent. Two shares are often more than all of it. */
const SHARES = [100, 100, 60, 40, 10];

/** Asks for one refund, which may be refused. */
export async function sendSomethingBack(sim: Simulation, outgoing: Outgoing): Promise<void> {
  if (sim.chance.hits(0.5)) {
    const receipts = await readRefundable(sim.real.reader);
    if (receipts.length > 0) await sendReceiptBack(sim, outgoing, sim.chance.pick(receipts));
    return;
  }
  if (sim.answered.length === 0) return;
  const plan = await planRefund(sim, outgoing, sim.chance.pick(sim.answered), sim.chance.pick(SHARES));
  if (plan !== null) await askForPayout(sim, plan);
}

/** Plans a payout of the order's app that is bound to the order; null while the order has collected nothing. */
export async function planRefund(
  sim: Simulation,
  { payoutPlans }: Outgoing,
  { tradeNo, plan, chain, currencyId }: AnsweredOrder,
  share: number,
): Promise<PayoutPlan | null> {
  const currency = chain.definition.currencies.find((one) => one.currencyId === currencyId);
  const units = ((await readCollected(sim.real.reader, tradeNo)) * BigInt(share)) / 100n;
  if (currency === undefined || units === 0n) return null;
  const refund: PayoutPlan = {
    app: plan.app,
    chain,
    currency,
    key: `key:refund-${payoutPlans.length}`,
    toAddress: recipient(sim.chance, chain),
    share,
    amount: decimalText(units, currency.decimals),
    answer: null,
    isRefused: false,
    repeats: sim.chance.pick([0, 0, 1]),
    asked: [],
    refundOf: tradeNo,
  };
  payoutPlans.push(refund);
  return refund;
}

/** Up to this, moving the money would cost more than it is worth. A refund of so little would wait until it is cancelled. */
function tooSmall({ decimals }: Pick<Currency, 'decimals'>): bigint {
  return 5_000n * 10n ** BigInt(Math.max(0, decimals - 6));
}

/** The payout's number is chosen here, so that it is known whatever becomes of the answer. */
export async function sendReceiptBack(
  sim: Simulation,
  outgoing: Outgoing,
  receipt: RefundableRow,
): Promise<void> {
  const api = sim.apiParts();
  const { chain: name, app_id: appId, currency_id: currencyId, units: text } = receipt;
  const chain = sim.chains.find(({ definition }) => definition.name === name);
  const currency = chain?.definition.currencies.find((one) => one.currencyId === currencyId);
  if (api === null || chain === undefined || currency === undefined) return;
  const units = BigInt(text);
  if (units <= tooSmall(currency)) return;
  const tradeNo = newPayoutNo(api.world);
  const keep = (units * BigInt(sim.chance.pick(KEPT_SHARES))) / 100n;
  const [toAddress, amount] = [recipient(sim.chance, chain), amountOf(currencyId, units)];
  const asked = { tradeNo, appId, receipt, units, keep, toAddress, currencyId };
  const send = async (): Promise<string> => {
    const estimate = await api.networkFees?.get(name)?.estimate({ appId, to: toAddress, currency, amount });
    if (estimate?.outcome !== 'possible') return 'not priced';
    const { expected: networkFee, most } = estimate;
    const done = await api.transact((tx) =>
      refundReceipt(tx, {
        receipt: { chain: name, txId: receipt.tx_id, position: receipt.position },
        tradeNo,
        chain: chain.definition,
        currency,
        toAddress,
        gas: amountOf(currencyId, keep),
        networkFee,
        feeCap: feeCapOf(most, chain.definition.family),
        value: null,
        by: 'operator',
        reason: 'asked for',
        nowMs: api.world.nowMs(),
      }),
    );
    return done.outcome;
  };
  outgoing.receiptRefunds.push(asked);
  void send().then(
    (outcome) => sim.note(`sending back ${receipt.tx_id.slice(0, 10)} as ${tradeNo}: ${outcome}`),
    (error: unknown) => {
      if (!(error instanceof Outage)) sim.findings.add('no role breaks', `sending back met ${String(error)}`);
    },
  );
}
