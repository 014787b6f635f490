// order/create: one order per (app, out_trade_no), however often and in parallel it is asked for.
import type { RequestOf } from '@ducat/contract/endpoints/registry';
import { assert } from '@ducat/core/assert';
import type { Quote } from '@ducat/core/money/rate';
import { needsQuote, type OrderTerms, openOrder } from '@ducat/core/order/order';
import { fieldInvalid } from '@ducat/core/refusal';
import { accept, type Result, refuse } from '@ducat/core/result';
import { newTradeNo } from '../../../runtime/ids.ts';
import type { NewOrder } from '../../../db/tables/orders/new-orders.ts';
import type { CurrencyState } from '../../../db/tables/orders/before-orders.ts';
import type { OrderDetail } from '../../../db/tables/orders/orders.ts';
import { Outage } from '../../../runtime/outage.ts';
import { unixTime } from '../../../runtime/world.ts';
import { isPublicCallback } from '../../../http/callback-address.ts';
import type { Listing } from '../catalogue.ts';
import { contentHash } from '../content-hash.ts';
import type { Call, Handler } from '../handler.ts';
import { presentCreated } from '../present.ts';
import { checkCurrency, knownCurrency } from '../usable-currency.ts';

type Request = RequestOf<'create-order'>;

// ~ tour 3/15: a merchant asks for an order.
// → packages/core/src/order/order.ts
export const handleCreateOrder: Handler<'create-order'> = async (call, request) => {
  // A `time_out` of 0 means the default, like a missing one.
  const inputHash = contentHash(request, (name, value) => name === 'time_out' && value === 0);
  const known = knownCurrency(call, request.currency_id);
  // Nearly always there is no such order yet and the currency is on. Then one statement looks and writes. For a merchant
  // with a limit an existing order is looked up first, because a repetition opens no order.
  const isQuick = known.ok && !call.app.hasOpenLimit;
  const opened = isQuick ? await openedAsRemembered(call, request, known.value, inputHash) : null;
  if (opened?.ok === true) {
    const created = await placed(call, opened.value);
    if (created.ok) return answer(call, created.value, inputHash);
    if (created.refusal.code !== 'currency-off') return created;
  }
  const { standing, state } = await call.orders.before({
    appId: call.app.appId,
    outTradeNo: request.out_trade_no,
    currencyId: request.currency_id,
    chain: known.ok ? known.value.chain.name : '',
  });
  // This comes before any refusal: a replay is answered even if the rate is stale or the currency has gone off by now.
  if (standing !== null) return answer(call, standing, inputHash);
  if (!known.ok) return known;
  const order = await openedIn(call, request, known.value, { inputHash, state });
  if (!order.ok) return order;
  const created = await placed(call, order.value);
  return created.ok ? answer(call, created.value, inputHash) : created;
};

/** The order, opened by what this process remembers, without a look at the database; null where no rate source answers. */
async function openedAsRemembered(
  call: Call,
  request: Request,
  known: Listing,
  inputHash: string,
): Promise<Result<NewOrder> | null> {
  const state = { offForApp: false, isRead: call.orders.isRead(request.currency_id), haltedReason: null };
  try {
    return await openedIn(call, request, known, { inputHash, state });
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

/** The order to place; refused where `state` shows that its currency cannot be taken. */
async function openedIn(
  call: Call,
  request: Request,
  known: Listing,
  { inputHash, state }: { readonly inputHash: string; readonly state: CurrencyState },
): Promise<Result<NewOrder>> {
  const listing = checkCurrency(call, known, state);
  return listing.ok ? newOrder(call, request, listing.value, inputHash) : listing;
}

function placed(call: Call, order: NewOrder): Promise<Result<OrderDetail>> {
  return call.orders.place({ order, hosted: null }, call.app);
}

/** Answers with the existing order if its content is the same. Its address is derived again first. */
function answer(call: Call, order: OrderDetail, inputHash: string): ReturnType<Handler<'create-order'>> {
  const { catalogue } = call.deps;
  if (order.inputHash !== inputHash) {
    const message = 'out_trade_no was used before for an order with other content';
    return Promise.resolve(refuse({ code: 'order-conflict', field: 'out_trade_no', message }));
  }
  const listing = catalogue.ofTrade(order);
  const derived = call.orders.addressOf(listing.chain.family, order);
  // mark: address-comes-from-the-app-key
  assert(derived === order.address, `the address of order ${order.tradeNo} does not come from its app's key`);
  return Promise.resolve(accept(presentCreated(order, listing, call.deps)));
}

async function newOrder(
  call: Call,
  request: Request,
  listing: Listing,
  inputHash: string,
): Promise<Result<NewOrder>> {
  const { app, deps } = call;
  const isCallable = (address: string) => deps.isCallableAddress(address);
  if (request.callback_url !== undefined && !isPublicCallback(new URL(request.callback_url), isCallable)) {
    return refuse(fieldInvalid('callback_url', 'must not name a private or local address'));
  }
  const now = unixTime(deps.world);
  const wanted = {
    fiatName: request.fiat_name,
    fiatAmount: request.fiat_amount,
    tokenAmount: request.token_amount,
    timeOut: request.time_out,
  };
  const { fiatName } = wanted;
  const isPricedInFiat = needsQuote(wanted) && fiatName !== undefined;
  const quote = isPricedInFiat ? await deps.rates.quote(listing.currency, fiatName) : null;
  const terms = openOrder(wanted, listing.currency, quote, now);
  if (!terms.ok) return terms;
  return accept({
    ...orderFields(request, listing, terms.value, quote?.ok === true ? quote.value : null),
    tradeNo: newTradeNo(deps.world),
    appId: app.appId,
    inputHash,
    tolerancePpm: BigInt(app.tolerancePpm),
    createTime: now,
  });
}

function orderFields(request: Request, { chain, currency }: Listing, terms: OrderTerms, quote: Quote | null) {
  return {
    outTradeNo: request.out_trade_no,
    mode: 'NATIVE' as const,
    chain: chain.name,
    family: chain.family,
    currencyId: currency.currencyId,
    terms,
    fiatName: request.fiat_name ?? null,
    fiatAmount: request.fiat_amount ?? null,
    quote,
    callbackUrl: request.callback_url ?? null,
    redirectUrl: request.redirect_url ?? null,
  };
}
