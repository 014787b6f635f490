// What merchants ask about orders that stand: how they are, the same once more, and what they must not get.
import { unitsOfText } from './auditor.ts';
import type { HeardDetail } from './checkers/detail.ts';
import { transfersOf } from './evidence.ts';
import type { ToldOrder } from './shoppers.ts';
import {
  type ApiParts,
  type OrderAnswer,
  type OrderRequest,
  orderRequest,
  type Said,
  sendDetail,
  sendOrder,
} from './sim-api.ts';
import type { Simulation } from './simulation.ts';

type Inquiry = 'detail' | 'of another app' | 'again' | 'other content';

/** So often everything is asked anew at the end, should a process die over it. */
const MAX_ROUNDS = 10;

/** One question about one order, while the API lives. */
export function inquire(sim: Simulation): void {
  const parts = sim.apiParts();
  if (parts === null || sim.told.length === 0) return;
  const order = sim.chance.pick(sim.told);
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
    'other content': () => askOtherwise(sim, parts, order),
  };
  asked[inquiry]().catch((error: unknown) =>
    sim.findings.add('an inquiry is answered', `${inquiry} for ${order.tradeNo}: ${String(error)}`),
  );
}

/** When all is over, each order is asked for once. */
export async function inquireAtEnd(sim: Simulation): Promise<void> {
  const left = new Set(sim.told);
  for (let round = 0; round < MAX_ROUNDS && left.size > 0; round++) {
    const parts = sim.apiParts();
    if (parts === null) break;
    for (const order of left) {
      askDetail(sim, parts, order).then(
        (isTold) => isTold && left.delete(order),
        (error: unknown) => sim.findings.add('an inquiry is answered', `${order.tradeNo}: ${String(error)}`),
      );
    }
    while (left.size > 0 && (await sim.take()));
  }
  for (const { tradeNo } of left) sim.findings.add('an inquiry is answered', `${tradeNo} at the end`);
}

async function askDetail(sim: Simulation, parts: ApiParts, order: ToldOrder): Promise<boolean> {
  const { wish, chain, tradeNo, address } = order;
  const askedAtStep = sim.trace.steps;
  const said = await sendDetail(parts, wish.app, tradeNo);
  if (said === null) return false;
  if (!said.ok) {
    sim.findings.add('23 orders stay', `${tradeNo} is refused to its merchant: ${said.refusal.code}`);
    return true;
  }
  const counted = chain.topHeight - chain.definition.confirmations + 1;
  const finalHeight = Math.min(chain.finalFloor, counted);
  sim.heardDetails.push({
    order,
    detail: said.value,
    askedAtStep,
    heardAtStep: sim.trace.steps,
    final: transfersOf(chain, finalHeight).filter(({ to }) => to === address),
    finalTime: chain.at(finalHeight)?.header.time ?? 0,
  } satisfies HeardDetail);
  return true;
}

async function askAsAnother(sim: Simulation, parts: ApiParts, { wish, tradeNo }: ToldOrder): Promise<void> {
  const other = sim.cast.apps.find(({ appId }) => appId !== wish.app.appId);
  if (other === undefined) return;
  const said = await sendDetail(parts, other, tradeNo);
  sim.findings.expect(
    said === null || (!said.ok && said.refusal.code === 'order-unknown'),
    '39 nothing of another tenant',
    `${other.appId} asked for ${tradeNo} of ${wish.app.appId} and was told ${wordsFor(said)}`,
  );
}

/** The same content again, which has to give the same answer to the last byte, whatever happened in between. */
async function askAgain(sim: Simulation, parts: ApiParts, order: ToldOrder): Promise<void> {
  const { wish, timeExpire, answer, tradeNo } = order;
  const said = await sendOrder(parts, wish.app, orderRequest(wish, timeExpire));
  sim.findings.expect(
    said === null || (said.ok && JSON.stringify(said.value) === JSON.stringify(answer)),
    '23 one order per out_trade_no',
    `${tradeNo} was asked for again and answered as ${wordsFor(said)}`,
  );
}

async function askOtherwise(sim: Simulation, parts: ApiParts, order: ToldOrder): Promise<void> {
  const { wish, timeExpire, tradeNo } = order;
  const request = { ...orderRequest(wish, timeExpire), ...changeOf(sim, order) };
  const said = await sendOrder(parts, wish.app, request);
  sim.findings.expect(
    said === null || (!said.ok && said.refusal.code === 'order-conflict'),
    '23 the terms never change',
    `${wish.outTradeNo} of ${tradeNo} was asked for with other content and answered as ${wordsFor(said)}`,
  );
}

/** Another amount, another currency, another expiry or another address for the webhooks. */
function changeOf({ chance }: Simulation, { wish, timeExpire, units }: ToldOrder): Partial<OrderRequest> {
  const { currencyId, decimals } = wish.currency;
  const more = unitsOfText('1', decimals) + units;
  const others = wish.chain.definition.currencies.filter((one) => one.currencyId !== currencyId);
  return chance.pick<Partial<OrderRequest>>([
    wish.fiatAmount === null
      ? { token_amount: `${more / 10n ** BigInt(decimals)}.5` }
      : { fiat_amount: '1000.5' },
    { currency_id: chance.pick(others).currencyId },
    { time_out: timeExpire + 1 },
    { callback_url: 'http://elsewhere.test/hook' },
  ]);
}

function wordsFor(said: Said<OrderAnswer | { readonly trade_no: string }>): string {
  if (said === null) return 'nothing';
  return said.ok ? `the order ${said.value.trade_no}` : said.refusal.code;
}
