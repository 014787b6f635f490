// Inquiries of merchants about their orders: the detail, the same request again, and requests that must be refused.
import { unitsOfText } from '../auditor.ts';
import type { ReceivedDetail } from '../checkers/detail.ts';
import { transfersOf } from '../checkers/evidence.ts';
import { fiats } from './market.ts';
import type { SimBlock } from '../nodes/sim-block.ts';
import type { AnsweredOrder } from './shoppers.ts';
import {
  type ApiParts,
  type OrderAnswer,
  type OrderRequest,
  orderRequest,
  type Said,
  sendDetail,
  sendOrder,
} from './sim-api.ts';
import type { Simulation } from '../simulation.ts';

type Inquiry = 'detail' | 'of another app' | 'again' | 'other content';

/** How often the inquiries are repeated at the end, because a process may die before it answers. */
const MAX_ROUNDS = 10;

/** Sends one inquiry about one order, while the API runs. */
export function inquire(sim: Simulation): void {
  const parts = sim.apiParts();
  if (parts === null || sim.answered.length === 0) return;
  const order = sim.chance.pick(sim.answered);
  const inquiry = sim.chance.weighted<Inquiry>([
    ['detail', 6],
    ['of another app', 1],
    ['again', 2],
    ['other content', 2],
  ]);
  const asked: Readonly<Record<Inquiry, () => Promise<void>>> = {
    detail: () => askDetail(sim, parts, order).then(() => undefined),
    'of another app': () => askAsAnother(sim, parts, order),
    again: () => askAgain(sim, parts, order),
    'other content': () => askOtherwise(sim, parts, order, sim.chance.pick(otherContents(order))),
  };
  asked[inquiry]().catch((error: unknown) =>
    sim.findings.add('an inquiry is answered', `${inquiry} for ${order.tradeNo}: ${String(error)}`),
  );
}

/** At the end of a run, each order is asked for once, and once with each other content. */
export async function inquireAtEnd(sim: Simulation): Promise<void> {
  await askDetailsAtEnd(sim);
  for (const order of sim.answered) await askOtherwiseAtEnd(sim, order);
}

async function askOtherwiseAtEnd(sim: Simulation, order: AnsweredOrder): Promise<void> {
  const parts = sim.apiParts();
  if (parts === null) return;
  const left = new Set(otherContents(order));
  for (const content of left) {
    askOtherwise(sim, parts, order, content).then(
      () => left.delete(content),
      (error: unknown) => sim.findings.add('an inquiry is answered', `${order.tradeNo}: ${String(error)}`),
    );
  }
  while (left.size > 0 && (await sim.take()));
}

async function askDetailsAtEnd(sim: Simulation): Promise<void> {
  const left = new Set(sim.answered);
  for (let round = 0; round < MAX_ROUNDS && left.size > 0; round++) {
    const parts = sim.apiParts();
    if (parts === null) break;
    for (const order of left) {
      askDetail(sim, parts, order).then(
        (isAnswered) => isAnswered && left.delete(order),
        (error: unknown) => sim.findings.add('an inquiry is answered', `${order.tradeNo}: ${String(error)}`),
      );
    }
    while (left.size > 0 && (await sim.take()));
  }
  for (const { tradeNo } of left) sim.findings.add('an inquiry is answered', `${tradeNo} at the end`);
}

async function askDetail(sim: Simulation, parts: ApiParts, order: AnsweredOrder): Promise<boolean> {
  const { plan, chain, tradeNo, address } = order;
  const askedAtStep = sim.trace.steps;
  const said = await sendDetail(parts, plan.app, tradeNo);
  if (said === null) return false;
  if (!said.ok) {
    sim.findings.add('23 orders stay', `${tradeNo} is refused to its merchant: ${said.refusal.code}`);
    return true;
  }
  const counted = chain.topHeight - chain.definition.confirmations + 1;
  const finalHeight = Math.min(chain.finalFloor, counted);
  sim.receivedDetails.push({
    order,
    detail: said.value,
    askedAtStep,
    receivedAtStep: sim.trace.steps,
    final: transfersOf(chain, finalHeight).filter(({ to }) => to === address),
    finalTime: chain.at(finalHeight)?.header.time ?? 0,
    mostConfirms: mostConfirms(sim, order),
  } satisfies ReceivedDetail);
  return true;
}

/** A faulty provider makes up blocks and hides payments. On a chain that has one, only the limit of the contract is sure. */
function mostConfirms({ setup }: Simulation, order: AnsweredOrder): number {
  const { definition } = order.chain;
  const { name, confirmations } = definition;
  const hasFaultyProvider = setup.chains.some((one) => one.definition.name === name && one.hasFaultyProvider);
  return hasFaultyProvider ? confirmations : Math.min(confirmations, depthOfPayment(order));
}

/** The depth of the oldest payment, on the branch where it is deepest. 0 where no branch has a payment. */
export function depthOfPayment({
  chain,
  address,
  currencyId,
}: Pick<AnsweredOrder, 'chain' | 'address' | 'currencyId'>): number {
  const pays = ({ transfers }: SimBlock): boolean =>
    transfers.some((one) => one.to === address && one.currencyId === currencyId && one.units > 0n);
  const depths = [chain.tip, ...chain.everLost].map((tip) => {
    let oldest: number | null = null;
    for (let block: SimBlock | null = tip; block !== null; block = block.parent) {
      if (pays(block)) oldest = block.header.number;
    }
    return oldest === null ? 0 : tip.header.number - oldest + 1;
  });
  return Math.max(...depths);
}

async function askAsAnother(
  sim: Simulation,
  parts: ApiParts,
  { plan, tradeNo }: AnsweredOrder,
): Promise<void> {
  const other = sim.setup.apps.find(({ appId }) => appId !== plan.app.appId);
  if (other === undefined) return;
  const said = await sendDetail(parts, other, tradeNo);
  sim.findings.expect(
    said === null || (!said.ok && said.refusal.code === 'order-unknown'),
    '39 nothing of another tenant',
    `${other.appId} asked for ${tradeNo} of ${plan.app.appId} and was answered ${wordsFor(said)}`,
  );
}

/** Sends the same content again. The answer has to be the same to the last byte, whatever happened in between. */
async function askAgain(sim: Simulation, parts: ApiParts, order: AnsweredOrder): Promise<void> {
  const { plan, timeExpire, answer, tradeNo } = order;
  const said = await sendOrder(parts, plan.app, orderRequest(plan, timeExpire));
  sim.findings.expect(
    said === null || (said.ok && JSON.stringify(said.value) === JSON.stringify(answer)),
    '23 one order per out_trade_no',
    `${tradeNo} was asked for again and answered as ${wordsFor(said)}`,
  );
}

async function askOtherwise(
  sim: Simulation,
  parts: ApiParts,
  order: AnsweredOrder,
  content: Partial<OrderRequest>,
): Promise<void> {
  const { plan, timeExpire, tradeNo } = order;
  const request = { ...orderRequest(plan, timeExpire), ...content };
  const said = await sendOrder(parts, plan.app, request);
  sim.findings.expect(
    said === null || (!said.ok && said.refusal.code === 'order-conflict'),
    '23 the terms never change',
    `${plan.outTradeNo} of ${tradeNo} was asked for with another ${Object.keys(content).join(' and ')} and answered as ${wordsFor(said)}`,
  );
}

/** Every field that a request may have, with another content: one at a time. */
export function otherContents({ plan, timeExpire, units }: AnsweredOrder): readonly Partial<OrderRequest>[] {
  const { chain, currency, tokenAmount, fiatName, fiatAmount } = plan;
  const others = chain.definition.currencies.filter(({ currencyId }) => currencyId !== currency.currencyId);
  const more = unitsOfText('1', currency.decimals) + units;
  // Beside an amount of tokens the fiat is a label. A label that the order did not have is other content too.
  const fiat = { fiat_name: fiats[0], fiat_amount: '1000.5' };
  return [
    ...others.map(({ currencyId }) => ({ currency_id: currencyId })),
    ...(tokenAmount === null ? [] : [{ token_amount: `${more / 10n ** BigInt(currency.decimals)}.5` }]),
    ...(fiatAmount === null ? [fiat] : [{ fiat_amount: fiat.fiat_amount }]),
    ...fiats.filter((name) => fiatName !== null && name !== fiatName).map((name) => ({ fiat_name: name })),
    { time_out: timeExpire + 1 },
    { callback_url: 'http://elsewhere.test/hook' },
    { redirect_url: 'http://elsewhere.test/thanks' },
  ];
}

function wordsFor(said: Said<OrderAnswer | { readonly trade_no: string }>): string {
  if (said === null) return 'nothing';
  return said.ok ? `the order ${said.value.trade_no}` : said.refusal.code;
}
