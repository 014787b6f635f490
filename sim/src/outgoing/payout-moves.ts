// What happens to payouts from outside: merchants ask, people cancel and approve, fees rise, mempools forget transactions.
import { decimalText } from '../auditor.ts';
import { sendPayout } from '../actors/sim-api.ts';
import { approvePayout } from '@ducat/gateway/flows/payouts/approve-payout';
import { cancelPayout } from '@ducat/gateway/flows/payouts/cancel-payout';
import { readSuspensions } from '@ducat/gateway/db/tables/books/currency-suspensions';
import { resumeByHand } from '@ducat/gateway/flows/currencies/resume-by-hand';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { Simulation } from '../simulation.ts';
import type { Outgoing } from './outgoing.ts';
import { type PayoutRow, readAvailable, readOutgoing, type VariantRow } from './payout-books.ts';
import { payoutCallsFor, type PayoutPlan } from './payout-plans.ts';

const MOST_CALLS = 3;
const SPIKES = [2, 3, 8, 50];
const APPROVAL_S = 86_400;
/** A second person takes some time to approve. */
const APPROVES_AFTER_S = 60;

/**
 * The refusals that a merchant may get instead of a payout, because the balance, the prices and the limits change
 * meanwhile.
 */
const REFUSALS: ReadonlySet<string> = new Set([
  'balance-short',
  'fee-unavailable',
  'rate-unavailable',
  'currency-off',
  'starting',
  'field-invalid',
]);

/** Payouts whose merchants still wait for an answer, or will ask again. */
export function unansweredPayouts({ payoutPlans }: Outgoing): readonly PayoutPlan[] {
  return payoutPlans.filter(
    (plan) => payoutCallsFor(plan) < MOST_CALLS && (plan.answer === null || plan.repeats > 0),
  );
}

/** A merchant asks for a payout, or asks again in the same words. Without a balance nothing happens. */
export async function askForPayout(sim: Simulation, plan: PayoutPlan): Promise<void> {
  const { app, currency, toAddress, key, share, refundOf } = plan;
  if (plan.amount === null) {
    const available = await readAvailable(sim.real.reader, app.appId, currency.currencyId);
    const units = (available * BigInt(share)) / 100n;
    if (units === 0n) return;
    plan.amount = decimalText(units, currency.decimals);
  }
  const api = sim.apiParts();
  if (api === null) return;
  if (plan.answer !== null) plan.repeats--;
  plan.asked.push(api.process);
  const request = { currency_id: currency.currencyId, amount: plan.amount, to_address: toAddress };
  // A repeated request is mostly the same to the last byte. Signed at another second, it is still the same call.
  const signature = sim.chance.hits(0.7) ? `signed ${key}` : `signed ${key} at ${sim.trace.steps}`;
  const bound =
    refundOf === null ? {} : { refund: { orderTradeNo: refundOf, by: 'operator', reason: 'asked for' } };
  void sendPayout(api, app, request, { key, signature }, bound).then(
    (said) => {
      plan.asked.splice(plan.asked.indexOf(api.process), 1);
      if (said === null) return;
      if (!said.ok) {
        plan.isRefused = true;
        const { code, message } = said.refusal;
        sim.findings.expect(
          REFUSALS.has(code) || (refundOf !== null && code === 'payout-conflict'),
          'a payout is answered',
          `${key} was refused: ${code}, ${message}`,
        );
        sim.note(`${app.appId} is refused ${key} of ${plan.amount}: ${code}, ${message}`);
        return;
      }
      const first = plan.answer ?? said.value;
      const same = first.trade_no === said.value.trade_no;
      const message = `${key} was answered as ${first.trade_no} and as ${said.value.trade_no}`;
      sim.findings.expect(same, '31 one payout a call', message);
      plan.answer = first;
      sim.note(
        `${app.appId} is answered ${key} = ${first.trade_no}: ${plan.amount} to …${toAddress.slice(-4)}`,
      );
    },
    (error: unknown) => sim.findings.add('a payout is answered', `${key}: ${String(error)}`),
  );
}

/** A person tries to cancel a payout. Now and then it is the second person, who declines it. */
export async function cancelSomePayout(sim: Simulation, outgoing: Outgoing): Promise<void> {
  const { payouts } = await readOutgoing(sim.real.reader);
  const open = payouts.filter(({ status }) => status === 'PROGRESS' || status === 'CONFIRMING-PROGRESS');
  if (open.length === 0) return;
  const { trade_no: tradeNo } = sim.chance.pick(open);
  cancel(sim, outgoing, tradeNo, sim.chance.hits(0.3));
}

function cancel(sim: Simulation, outgoing: Outgoing, tradeNo: string, isDecline: boolean): void {
  const api = sim.apiParts();
  if (api === null) return;
  const input = { tradeNo, by: 'operator', reason: 'asked for', nowMs: api.world.nowMs() };
  const decline = isDecline ? { decline: { personId: null } } : {};
  void api
    .transact((tx) => cancelPayout(tx, { ...input, ...decline }))
    .then((outcome) => {
      sim.note(`${isDecline ? 'declining' : 'cancelling'} ${tradeNo}: ${outcome}`);
      if (outcome === 'moved') outgoing.cancelled.add(tradeNo);
    }, onlyOutages(sim));
}

/**
 * A second person approves the payouts that wait for it. A payout whose approval no longer counts for the signer is
 * approved again.
 */
export async function approvePayouts(sim: Simulation, outgoing: Outgoing): Promise<void> {
  const api = sim.apiParts();
  if (api === null) return;
  const { payouts, variants } = await readOutgoing(sim.real.reader);
  const refused = new Set(variants.filter(wantsApproval).map(({ subject_id: id }) => id));
  const nowS = api.world.nowMs() / 1_000;
  for (const payout of payouts) {
    const isFirst = payout.status === 'PROGRESS' && payout.needs_approval && !payout.is_approved;
    if (!isFirst && !refused.has(payout.trade_no)) continue;
    if (Math.abs(nowS - payout.create_time) < APPROVES_AFTER_S) continue;
    void approve(sim, outgoing, payout);
  }
}

/** One person approves a payout, and a second person then tries to decline it. */
export async function declineApproved(sim: Simulation, outgoing: Outgoing): Promise<boolean> {
  const { payouts } = await readOutgoing(sim.real.reader);
  const payout = payouts.find((one) => one.status === 'PROGRESS' && one.needs_approval && !one.is_approved);
  if (payout === undefined) return false;
  void approve(sim, outgoing, payout).then(() => cancel(sim, outgoing, payout.trade_no, true));
  return true;
}

async function approve(sim: Simulation, outgoing: Outgoing, payout: PayoutRow): Promise<void> {
  const api = sim.apiParts();
  if (api === null) return;
  const nowMs = api.world.nowMs();
  const approval = approvalOf(sim, outgoing, payout, Math.floor(nowMs / 1_000) + APPROVAL_S);
  if (approval === null) return;
  const kept = { ...approval, approvedAtMs: nowMs };
  await api
    .transact((tx) => approvePayout(tx, payout.trade_no, kept))
    .then((outcome) => sim.note(`approving ${payout.trade_no}: ${outcome}`), onlyOutages(sim));
}

/** Resumes suspended currencies, as an operator does after a check. Nothing else ever resumes them. */
export async function resumeCurrencies(sim: Simulation): Promise<void> {
  const api = sim.apiParts();
  if (api === null) return;
  for (const { currencyId, reason } of await readSuspensions(sim.real.reader)) {
    void api
      .transact((tx) => resumeByHand(tx, currencyId))
      .then(() => sim.note(`${currencyId} is resumed: ${reason}`), onlyOutages(sim));
  }
}

/** Whether a new approval is needed: on Tron an approval signs one transaction, and every approval expires. */
function wantsApproval({ trouble }: VariantRow): boolean {
  return trouble !== null && /approval-(used|expired)/.test(trouble);
}

function approvalOf(sim: Simulation, { signer }: Outgoing, payout: PayoutRow, expiry: number) {
  const { trade_no: payoutId, chain: name, currency_id, to_address: to, receipt, fee_cap } = payout;
  const chain = sim.chains.find(({ definition }) => definition.name === name);
  const currency = chain?.definition.currencies.find((one) => one.currencyId === currency_id);
  if (chain === undefined || currency === undefined) return null;
  const { chainId } = chain.definition;
  const money = { contract: currency.contract, to, baseUnits: BigInt(receipt), feeCap: BigInt(fee_cap) };
  return signer.approve({ kind: 'payout', payoutId, chainId, ...money, expiry });
}

function onlyOutages(sim: Simulation): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof Outage)) sim.findings.add('no role breaks', `an operator met ${String(error)}`);
  };
}

/** Fees rise, or fall back to what is usual. */
export function spikeFees(sim: Simulation, { markets }: Outgoing): void {
  const chain = sim.chance.pick(sim.chains);
  const market = markets.get(chain.definition.name);
  if (market === undefined) return;
  const factor = market.isSpiking ? 1 : sim.chance.pick(SPIKES);
  market.spike(factor);
  sim.note(`${chain.definition.name} costs ${factor} times the usual`);
}

/** A mempool forgets one of our transactions. */
export function forgetTransaction(sim: Simulation): void {
  const chain = sim.chance.pick(sim.chains);
  const ours = chain.mempool.filter(({ outgoing }) => outgoing !== undefined);
  if (ours.length === 0) return;
  const gone = sim.chance.pick(ours);
  chain.mempool = chain.mempool.filter((one) => one !== gone);
  sim.note(`the pool of ${chain.definition.name} forgets ${gone.txId.slice(0, 10)}`);
}
