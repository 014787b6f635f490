// The API as a merchant's server meets it: production's own handlers, with the checks of a signed request before them.
import { createHash, createHmac } from 'node:crypto';
import type { DataOf, RequestOf } from '@ducat/contract/endpoints/registry';
import { accept, type Result } from '@ducat/core/result';
import { Outage } from '@ducat/gateway/runtime/outage';
import type { RateSource } from '@ducat/gateway/rates/port';
import type { ApiDeps } from '@ducat/gateway/roles/api/api-deps';
import { defaultApiLimits } from '@ducat/gateway/roles/api/api-deps';
import { createCatalogue } from '@ducat/gateway/roles/api/catalogue';
import { handleCreateOrder } from '@ducat/gateway/roles/api/endpoints/create-order';
import { createPayoutFor, type BoundPayout } from '@ducat/gateway/roles/api/endpoints/create-payout';
import { handleOrderDetail } from '@ducat/gateway/roles/api/endpoints/order-detail';
import type { Call } from '@ducat/gateway/roles/api/handler';
import { createOrderBatches, type OrderBatches } from '@ducat/gateway/roles/api/orders/order-batches';
import { createPoolFiller } from '@ducat/gateway/roles/api/orders/pool-filler';
import { keyThatSigned, sign } from '@ducat/gateway/roles/api/auth/sign';
import type { Reader, Transact } from '@ducat/gateway/db/postgres/tx';
import { VALUE_FIAT } from '@ducat/core/collection/value';
import { unixTime, type World } from '@ducat/gateway/runtime/world';
import type { AppSetup } from './setup.ts';
import { fiats, type Market } from './market.ts';
import { addressSchemes } from '../nodes/sim-schemes.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { OrderPlan } from './order-plans.ts';

export interface ApiParts {
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly market: Market;
  readonly chains: readonly SimChain[];
  /** By the chain's name; none where nothing is paid out. */
  readonly networkFees?: ApiDeps['networkFees'];
  /** The batches of this process: requests that arrive at the same time share their statements. */
  readonly orders: OrderBatches;
}

/** The batches of a process that starts. */
export function ordersOf(parts: Pick<ApiParts, 'transact' | 'reader' | 'world'>): OrderBatches {
  const fillPool = createPoolFiller({ ...parts, addressSchemes });
  return createOrderBatches({
    ...parts,
    addressSchemes,
    fillPool,
    watched: (work) => work,
    gather: (start) => start(),
  });
}

export type OrderRequest = RequestOf<'create-order'>;
export type OrderAnswer = DataOf<'create-order'>;
export type DetailAnswer = DataOf<'order-detail'>;
export type PayoutRequest = RequestOf<'create-payout'>;
export type PayoutAnswer = DataOf<'create-payout'>;

/** What the API says to a request; null for an outage, after which a merchant asks again. */
export type Said<Data> = Result<Data> | null;

/** Where payment pages would be. */
export const CHECKOUT_URL = 'http://pay.test';

/** A refusal that a merchant meets only when something is wrong with Ducat. */
class Unexpected extends Error {
  override readonly name = 'Unexpected';
}

/** Null where the merchant has to ask again: after an outage, or while the chain is not read yet. */
export async function askForOrder(
  parts: ApiParts,
  plan: OrderPlan,
): Promise<{ readonly answer: OrderAnswer; readonly timeOut: number } | null> {
  const now = unixTime(parts.world);
  const timeOut = plan.timeOuts.at(-1) ?? plan.twinOf?.timeOuts[0] ?? now + plan.lifeS;
  if (plan.timeOuts.length === 0) plan.timeOuts.push(timeOut);
  const said = await sendOrder(parts, plan.app, orderRequest(plan, timeOut));
  if (said === null) return null;
  if (said.ok) return { answer: said.value, timeOut };
  return refused(said.refusal, plan, timeOut, unixTime(parts.world));
}

export function orderRequest(plan: OrderPlan, timeOut: number): OrderRequest {
  const { outTradeNo, currency, tokenAmount, fiatName, fiatAmount, callbackUrl, redirectUrl } = plan;
  return {
    out_trade_no: outTradeNo,
    currency_id: currency.currencyId,
    ...(tokenAmount === null ? {} : { token_amount: tokenAmount }),
    ...(fiatName === null ? {} : { fiat_name: fiatName }),
    ...(fiatAmount === null ? {} : { fiat_amount: fiatAmount }),
    ...(callbackUrl === null ? {} : { callback_url: callbackUrl }),
    ...(redirectUrl === null ? {} : { redirect_url: redirectUrl }),
    time_out: timeOut,
  };
}

export function sendOrder(parts: ApiParts, app: AppSetup, request: OrderRequest): Promise<Said<OrderAnswer>> {
  return said(parts, app, request, (call) => handleCreateOrder(call, request));
}

export function sendDetail(parts: ApiParts, app: AppSetup, tradeNo: string): Promise<Said<DetailAnswer>> {
  const request = { trade_no: tradeNo };
  return said(parts, app, request, (call) => handleOrderDetail(call, request));
}

/** By `name` a repetition of the request is recognised. `bound` is what a person adds to the request. */
export function sendPayout(
  parts: ApiParts,
  app: AppSetup,
  request: PayoutRequest,
  name: Call['name'],
  bound: BoundPayout = {},
): Promise<Said<PayoutAnswer>> {
  return said(parts, app, request, (call) => createPayoutFor({ ...call, name }, request, bound));
}

async function said<Data>(
  parts: ApiParts,
  app: AppSetup,
  request: object,
  handle: (call: Call) => Promise<Result<Data>>,
): Promise<Said<Data>> {
  checkSignature(JSON.stringify(request), app.appKey, parts.world);
  const deps = depsOf(parts);
  try {
    return await handle({
      app: appOf(app),
      deps,
      fillPool: createPoolFiller(deps),
      orders: parts.orders,
      name: { key: '', signature: '' },
    });
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

/**
 * A merchant whose expiry has passed asks with a new one. While a call with the old expiry is under way, either of
 * them may become the order. A call that meets the conflict drops its expiry, so the merchant keeps to the one that
 * stands. A single expiry never conflicts.
 */
function refused(
  refusal: { readonly code: string; readonly field?: string | undefined; readonly message: string },
  { timeOuts, lifeS, outTradeNo }: OrderPlan,
  timeOut: number,
  now: number,
): null {
  if (refusal.code === 'currency-off' || refusal.code === 'starting') return null;
  if (refusal.code === 'field-invalid' && refusal.field === 'time_out') {
    timeOuts.push(now + lifeS);
    return null;
  }
  const place = timeOuts.indexOf(timeOut);
  if (refusal.code === 'order-conflict' && (timeOuts.length > 1 || place === -1)) {
    if (place !== -1) timeOuts.splice(place, 1);
    return null;
  }
  throw new Unexpected(`${outTradeNo} was refused: ${refusal.code}, ${refusal.message}`);
}

/** Signs as the contract says, by code of the simulator's own, so that a wrong formula of the product is found. */
function checkSignature(body: string, appKey: string, world: World): void {
  const bytes = Buffer.from(body);
  const timestamp = String(unixTime(world));
  const signature = createHmac('sha256', appKey).update(`${body}${timestamp}${appKey}`).digest('hex');
  const wrong = createHash('sha256').update(signature).digest('hex');
  if (keyThatSigned(bytes, timestamp, signature, ['another', appKey]) !== appKey)
    throw new Unexpected('a right signature was refused');
  if (keyThatSigned(bytes, timestamp, wrong, [appKey]) !== null)
    throw new Unexpected('a wrong signature was taken');
  if (sign(bytes, timestamp, appKey) !== signature) throw new Unexpected('an answer is signed wrongly');
}

function appOf({ appId, callbackUrl, tolerancePpm }: AppSetup): Call['app'] {
  const account = Number(appId.replace(/\D/g, ''));
  return {
    appId,
    merchantId: `mer_${account}`,
    name: 'Shop',
    kind: 'PAYMENT',
    enabled: true,
    isSuspended: false,
    hasOpenLimit: false,
    account,
    callbackUrl,
    tolerancePpm,
    allowedRanges: [],
    minOperableValue: null,
  };
}

export function ratesOf(world: World, market: Market): RateSource {
  return {
    warning: null,
    quote: async ({ symbol }, name) => {
      // Collection compares in USDT, which is a dollar here.
      const fiat = name === VALUE_FIAT ? 'USD' : fiats.find((one) => one === name);
      if (fiat === undefined) throw new Unexpected(`nobody asked for a price in ${name}`);
      const at = unixTime(world);
      const rate = { fiat: name, priceUnits: market.priceUnits(symbol, fiat, at) };
      return accept({ rate, at, source: 'simulated', evidence: [] });
    },
  };
}

function depsOf({ transact, reader, world, market, chains, networkFees }: ApiParts): ApiDeps {
  const silent = (): void => undefined;
  return {
    transact,
    reader,
    answersCommits: () => true,
    world,
    catalogue: createCatalogue(
      chains.map(({ definition }) => ({ definition, on: true, isCurrencyOn: () => true })),
    ),
    rates: ratesOf(world, market),
    addressSchemes,
    appKeys: {
      keysFor: () => Promise.resolve(null),
      lastKnownKeysFor: () => null,
      appKey: () => Promise.reject(new Unexpected('no key is asked for here')),
      create: () => ({ appKey: '', sealedKey: Buffer.from(world.random(13)) }),
      seal: () => Buffer.alloc(0),
    },
    oneTimeCodes: {
      create: () => ({ setupUrl: '', secret: '', sealed: Buffer.alloc(0) }),
      stepOf: () => null,
    },
    networkFees: networkFees ?? new Map(),
    limits: defaultApiLimits,
    logger: { info: silent, warn: silent, error: silent },
    observer: { answered: silent, lostCallLines: silent },
    publicUrl: 'http://gateway.test',
    docs: { folder: '', faucetUrl: '' },
    checkoutUrl: CHECKOUT_URL,
    isCallableAddress: () => true,
    onBug: silent,
  };
}
