// The addresses of one order: its page, its state, its stream, and the choice of its currency.
import type { CheckoutState } from '@ducat/contract/checkout-view';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type CheckoutOrder, readCheckoutOrders } from '../../db/tables/orders/checkout-orders.ts';
import type { LimitedConnections } from '../../http/connection-limit.ts';
import { unixTime } from '../../runtime/world.ts';
import { choose } from './choose.ts';
import { readLastUsed, writeLastUsed } from './last-used.ts';
import type { LiveOrders } from './live-orders.ts';
import { readOffers } from './offers.ts';
import { pageHeaders } from './page-headers.ts';
import type { PagesDeps } from './port.ts';
import type { TransferFees } from './transfer-fees.ts';
import { presentCheckout } from './present-checkout.ts';

interface OrderRoute {
  Params: { tradeNo: string };
  Querystring: { lang?: string | string[]; refused?: string | string[]; change?: string | string[] };
}

type RoutesDeps = PagesDeps & {
  readonly live: LiveOrders;
  readonly fees: TransferFees;
  readonly connections: LimitedConnections;
};

const TRADE_NO = /^ord_[0-9a-hjkmnp-tv-z]{30}$/;
const NONCE_BYTES = 18;

export function mountCheckout(app: FastifyInstance, base: string, deps: RoutesDeps): void {
  const one = `${base}/:tradeNo`;
  app.get<OrderRoute>(one, async (request, reply) => {
    const order = await orderOf(request, deps);
    return order === null ? reply.callNotFound() : sendPage(order, base, { request, reply }, deps);
  });
  app.get<OrderRoute>(`${one}/state`, async (request, reply) => {
    const order = await orderOf(request, deps);
    if (order === null) return reply.callNotFound();
    return reply.header('cache-control', 'no-store').send(stateOf(order, deps));
  });
  app.get<OrderRoute>(`${one}/events`, async (request, reply) => {
    const order = await orderOf(request, deps);
    if (order === null) return reply.callNotFound();
    reply.hijack();
    reply.raw.writeHead(200, STREAM_HEADERS);
    deps.connections.mayCut(reply.raw);
    deps.live.open(reply.raw, stateOf(order, deps), request.ip);
    return reply;
  });
  app.post<OrderRoute>(`${one}/choose`, async (request, reply) => {
    const order = await orderOf(request, deps);
    return order === null ? reply.callNotFound() : answerChoice(order, base, { request, reply }, deps);
  });
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-content-type-options': 'nosniff',
  // A proxy that buffers would delay the states.
  'x-accel-buffering': 'no',
} as const;

async function orderOf(
  request: FastifyRequest<OrderRoute>,
  { reader }: RoutesDeps,
): Promise<CheckoutOrder | null> {
  const { tradeNo } = request.params;
  if (!TRADE_NO.test(tradeNo)) return null;
  return (await readCheckoutOrders(reader, [tradeNo])).get(tradeNo) ?? null;
}

function stateOf(order: CheckoutOrder, deps: RoutesDeps): CheckoutState {
  const now = unixTime(deps.world);
  return { now, view: presentCheckout(order, now, deps) };
}

interface Exchange {
  readonly request: FastifyRequest<OrderRoute>;
  readonly reply: FastifyReply;
}

async function sendPage(
  order: CheckoutOrder,
  base: string,
  { request, reply }: Exchange,
  deps: RoutesDeps,
): Promise<FastifyReply> {
  const state = stateOf(order, deps);
  const nonce = Buffer.from(deps.world.random(NONCE_BYTES)).toString('base64');
  const { accent, frameOrigins } = order.page;
  const hasPanel = deps.faucetUrl !== null && (deps.demo || order.page.isTest);
  const faucet = hasPanel ? (deps.faucetUrl ?? '') : '';
  const html = deps.renderer.page({
    ...state,
    offers: state.view.can_change || state.view.state === 'choose' ? await readOffers(order, deps) : [],
    base,
    refused: oneOf(request.query.refused),
    lastUsed: readLastUsed(request),
    isChanging: oneOf(request.query.change) === '1',
    accent,
    faucet,
    frameOrigins,
    nonce,
    language: oneOf(request.query.lang),
    acceptLanguage: request.headers['accept-language'] ?? '',
  });
  return reply
    .headers(pageHeaders(nonce, frameOrigins, faucet))
    .type('text/html; charset=utf-8')
    .send(html);
}

/**
 * A form is answered with the page, a script with the new state. The form of another site is refused, because only our page
 * asks for a choice.
 */
async function answerChoice(
  order: CheckoutOrder,
  base: string,
  { request, reply }: Exchange,
  deps: RoutesDeps,
): Promise<FastifyReply> {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none')
    return reply.code(403).type('text/plain').send('This is for the page alone.');
  const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
  const wanted = form.get('currency_id') ?? '';
  const refused = /^[1-9][0-9]{0,9}$/.test(wanted)
    ? await choose(order, Number(wanted), deps)
    : 'not-offered';
  if (refused === null) {
    writeLastUsed(reply, deps.checkoutUrl, Number(wanted));
    await deps.live.look(order.tradeNo);
  }
  const isScript = request.headers.accept === 'application/json';
  if (!isScript) {
    const query = new URLSearchParams();
    const language = form.get('lang') ?? '';
    if (/^[A-Za-z-]{2,12}$/.test(language)) query.set('lang', language);
    if (refused !== null) query.set('refused', refused);
    const tail = query.size === 0 ? '' : `?${query}`;
    return reply.code(303).header('location', `${base}/${order.tradeNo}${tail}`).send();
  }
  if (refused !== null) return reply.code(409).send({ refused });
  const after = (await readCheckoutOrders(deps.reader, [order.tradeNo])).get(order.tradeNo) ?? order;
  return reply.send(stateOf(after, deps));
}

function oneOf(value: string | string[] | undefined): string {
  return typeof value === 'string' ? value : '';
}
