// The answers of order/detail: never ahead of the chain's final blocks, never going back, and complete at the end.
import {
  countsFor,
  decimalText,
  type Evidence,
  isInternal,
  type KnownOrder,
  referenceOf,
  type SeenTransfer,
  verdictOf,
} from '../auditor.ts';
import type { Findings } from './findings.ts';
import type { AnsweredOrder } from '../actors/shoppers.ts';
import type { DetailAnswer } from '../actors/sim-api.ts';

/** An answer, and what the chain said when it was received. */
export interface ReceivedDetail {
  readonly order: AnsweredOrder;
  readonly detail: DetailAnswer;
  readonly askedAtStep: number;
  readonly receivedAtStep: number;
  /** The final transfers to the order's address, in the order of the chain. */
  readonly final: readonly SeenTransfer[];
  /** Unix seconds of the newest final block. */
  readonly finalTime: number;
  /** The most confirmations that its oldest payment could have on any branch that ever existed. */
  readonly mostConfirms: number;
}

const CHECKER = '20 order/detail shows what is final';

export function checkDetails(
  received: readonly ReceivedDetail[],
  evidence: Evidence,
  findings: Findings,
): void {
  for (const one of received) {
    const { order, detail, receivedAtStep } = one;
    const known = evidence.orders.find(({ tradeNo }) => tradeNo === order.tradeNo);
    if (known === undefined) continue;
    const allowed = allowedAt(one, known, evidence);
    const answered = `${detail.status} ${detail.amount_collected}`;
    findings.expect(
      allowed.has(answered),
      CHECKER,
      `${order.tradeNo} was shown as ${answered} at step ${receivedAtStep}, and could be ${[...allowed].join(' or ')}`,
    );
    checkConfirms(one, findings);
    checkTerms(one, known, findings);
  }
  checkNeverBack(received, findings);
}

/** At the end only one answer is right. Checks the last answer of each order. */
export function checkLastDetails(
  received: readonly ReceivedDetail[],
  evidence: Evidence,
  findings: Findings,
): void {
  const verdict = verdictOf(evidence);
  for (const known of evidence.orders) {
    const { tradeNo, decimals } = known;
    const expected = verdict.orders.get(tradeNo);
    const { order, detail } = received.findLast((one) => one.order.tradeNo === tradeNo) ?? {};
    if (expected === undefined) continue;
    const wanted = `${expected.status} ${decimalText(expected.collected, decimals)}`;
    const answered = detail === undefined ? 'nothing' : `${detail.status} ${detail.amount_collected}`;
    findings.expect(
      answered === wanted,
      CHECKER,
      `${tradeNo} was shown at the end as ${answered} and is ${wanted}`,
    );
    const isUntouched = evidence.transfers.every(({ to }) => to !== order?.address);
    if (detail === undefined || (expected.collected === 0n && !isUntouched)) continue;
    // A late payment is collected, but shows no confirmations.
    const isConfirmed = expected.status === 'PAID' || isPaidInTime(known, evidence);
    const confirms = expected.collected > 0n && isConfirmed ? detail.need_confirms : 0;
    const message = `${tradeNo} was shown at the end with ${detail.already_confirms} confirmations, not ${confirms}`;
    findings.expect(detail.already_confirms === confirms, CHECKER, message);
  }
}

/** Every state that the answer may show: the books may be behind the chain, and are never ahead of it. */
function allowedAt(one: ReceivedDetail, known: KnownOrder, evidence: Evidence): ReadonlySet<string> {
  const { finalTime } = one;
  const { creditedAt } = evidence;
  const placeOf = (transfer: SeenTransfer): number =>
    creditedAt.get(referenceOf(transfer)) ?? Number.MAX_SAFE_INTEGER;
  const final = one.final
    .filter((transfer) => !isInternal(transfer) || creditedAt.has(referenceOf(transfer)))
    .toSorted((first, second) => placeOf(first) - placeOf(second));
  const at = (transfers: readonly SeenTransfer[], time: number) =>
    verdictOf({
      ...evidence,
      orders: [known],
      transfers,
      balanceReceipts: [],
      finalTimes: new Map([[known.chain, time]]),
    }).orders.get(known.tradeNo);
  const isTimedOut = at(final, finalTime)?.status === 'TIME-OUT';
  const allowed = new Set<string>();
  for (let count = 0; count <= final.length; count++) {
    const state = at(final.slice(0, count), 0);
    if (state === undefined) continue;
    const collected = decimalText(state.collected, known.decimals);
    allowed.add(`${state.status} ${collected}`);
    if (isTimedOut && state.status === 'TO-BE-PAID') allowed.add(`TIME-OUT ${collected}`);
  }
  return allowed;
}

/**
 * Whether a transfer that counts for the order was in time. An internal transaction that only a balance shows pays
 * for no order.
 */
function isPaidInTime(order: KnownOrder, evidence: Evidence): boolean {
  return evidence.transfers.some(
    (one) =>
      (!isInternal(one) || evidence.creditedAt.has(referenceOf(one))) &&
      one.to === order.address &&
      countsFor(order, one, evidence) &&
      one.units > 0n &&
      one.blockTime <= order.timeExpire,
  );
}

/** Never more confirmations than the chain had, and at least one for what was collected in time. */
function checkConfirms(
  { order, detail, receivedAtStep, mostConfirms }: ReceivedDetail,
  findings: Findings,
): void {
  const { already_confirms: confirms, amount_collected: collected, status } = detail;
  const least = collected === '0' || status === 'TIME-OUT' ? 0 : 1;
  findings.expect(
    confirms >= least && confirms <= mostConfirms,
    CHECKER,
    `${order.tradeNo} was shown with ${confirms} confirmations at step ${receivedAtStep}, and had ${least} to ${mostConfirms}`,
  );
}

/** Every field that never changes is as it was requested and answered. */
function checkTerms({ order, detail }: ReceivedDetail, known: KnownOrder, findings: Findings): void {
  const { answer } = order;
  const wanted = {
    trade_no: known.tradeNo,
    out_trade_no: known.outTradeNo,
    chain: answer.chain,
    token: answer.token,
    contract: answer.contract,
    fiat_name: known.fiatName,
    fiat_amount: known.fiatAmount,
    amount: answer.amount,
    pay_address: answer.pay_address,
    time_expire: answer.time_expire,
    create_time: answer.create_time,
    decimal: answer.decimal,
    chain_id: answer.chain_id,
    redirect_url: known.redirectUrl,
    mode: answer.mode,
    equity: answer.equity,
    chain_info: answer.chain_info,
    // No payer may pay for an order that has ended.
    entrust_url: detail.status === 'TO-BE-PAID' ? answer.entrust_url : '',
    need_confirms: answer.need_confirms,
  };
  const answered: Readonly<Record<string, unknown>> = detail;
  const wrong = Object.entries(wanted)
    .map(([name, value]) => [name, JSON.stringify(answered[name]), JSON.stringify(value)] as const)
    .filter(([, is, must]) => is !== must)
    .map(([name, is, must]) => `${name} ${is} and not ${must}`);
  const message = `${known.tradeNo} was shown with ${wrong.join(', ')}`;
  findings.expect(wrong.length === 0, '23 order/detail shows the terms', message);
}

function checkNeverBack(received: readonly ReceivedDetail[], findings: Findings): void {
  for (const later of received) {
    const earlier = received.find(
      ({ order, receivedAtStep, detail }) =>
        order.tradeNo === later.order.tradeNo &&
        receivedAtStep < later.askedAtStep &&
        isBehind(later.detail, detail),
    );
    if (earlier === undefined) continue;
    findings.add(
      '19 status moves',
      `${later.order.tradeNo} was shown as ${earlier.detail.status} ${earlier.detail.amount_collected}, and later as ${later.detail.status} ${later.detail.amount_collected}`,
    );
  }
}

function isBehind(detail: DetailAnswer, earlier: DetailAnswer): boolean {
  const isUndone = earlier.status !== 'TO-BE-PAID' && detail.status !== earlier.status;
  return isUndone || Number(detail.amount_collected) < Number(earlier.amount_collected);
}
