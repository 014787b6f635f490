// entrust/pre-create: an order whose payer chooses the currency on the hosted page.
import type { RequestOf } from '@ducat/contract/endpoints/registry';
import type { Quote } from '@ducat/core/money/rate';
import { openOrder, type OrderRequest, type OrderTerms } from '@ducat/core/order/order';
import { fieldInvalid, type Refusal } from '@ducat/core/refusal';
import { accept, type Result, refuse } from '@ducat/core/result';
import { readCurrenciesOff } from '../../../db/tables/apps.ts';
import { readCursors, readsCurrency } from '../../../db/tables/cursors.ts';
import type { NewOrder } from '../../../db/tables/orders/new-orders.ts';
import { findOrderByOutTradeNo, type OrderDetail } from '../../../db/tables/orders/orders.ts';
import { newTradeNo } from '../../../runtime/ids.ts';
import { unixTime } from '../../../runtime/world.ts';
import { isPublicCallback } from '../../../http/callback-address.ts';
import type { Listing } from '../catalogue.ts';
import { contentHash } from '../content-hash.ts';
import type { Call, Handler } from '../handler.ts';
import { pageOf } from '../present.ts';
import { checkCurrency, knownCurrency } from '../usable-currency.ts';

type Request = RequestOf<'pre-create'>;

export const handlePreCreate: Handler<'pre-create'> = async (call, request) => {
  const { app, deps } = call;
  // No request of order/create has the field `operation`, so requests of the two operations never have the same hash.
  const inputHash = contentHash(
    { ...request, operation: 'pre-create' },
    (name, value) => name === 'time_out' && value === 0,
  );
  const standing = await findOrderByOutTradeNo(deps.reader, app.appId, request.out_trade_no);
  if (standing !== null) return answer(call, standing, inputHash);
  const refusal = refusedFields(call, request);
  if (refusal !== null) return refuse(refusal);
  const start = await firstPriced(call, request);
  if (!start.ok) return start;
  const order = newOrder(call, request, start.value, inputHash);
  const hosted = {
    subject: request.subject ?? null,
    offered: offeredIds(request),
    isChosen: request.currency_id !== undefined,
  };
  const placed = await call.orders.place({ order, hosted }, call.app);
  return placed.ok ? answer(call, placed.value, inputHash) : placed;
};

function answer(call: Call, order: OrderDetail, inputHash: string): ReturnType<typeof handlePreCreate> {
  if (order.inputHash !== inputHash) {
    const message = 'out_trade_no was used before for an order with other content';
    return Promise.resolve(refuse({ code: 'order-conflict', field: 'out_trade_no', message }));
  }
  const { tradeNo: trade_no, timeExpire: time_expire } = order;
  return Promise.resolve(
    accept({ trade_no, entrust_url: pageOf(order, call.deps), time_expire, status: 'TO-BE-PAID' }),
  );
}

/** Checks that the schema cannot make: which fields go together, and where webhooks may be sent. */
function refusedFields({ deps }: Call, request: Request): Refusal | null {
  const { callback_url, currency_id, currency_ids, token_amount } = request;
  const isCallable = (address: string) => deps.isCallableAddress(address);
  if (callback_url !== undefined && !isPublicCallback(new URL(callback_url), isCallable))
    return fieldInvalid('callback_url', 'must not name a private or local address');
  if (token_amount !== undefined && currency_id === undefined)
    return fieldInvalid('currency_id', 'is required where token_amount is given');
  if (token_amount !== undefined && currency_ids !== undefined)
    return fieldInvalid('currency_ids', 'must not be given with token_amount, which is of one currency');
  if (currency_id !== undefined && currency_ids?.includes(currency_id) === false)
    return fieldInvalid('currency_id', 'must be one of currency_ids');
  if (currency_ids?.some((id) => deps.catalogue.find(id) === null) === true)
    return fieldInvalid('currency_ids', 'names a currency that is not known; see token-list');
  return null;
}

/** Ids of the currencies that the payer may choose; null for all that are on for the app. */
function offeredIds({ currency_id, currency_ids }: Request): readonly number[] | null {
  return currency_ids ?? (currency_id === undefined ? null : [currency_id]);
}

interface Start {
  readonly listing: Listing;
  readonly terms: OrderTerms;
  readonly quote: Quote | null;
}

/** The currency in which the order begins: the named one, else the first one that can be taken and priced now. */
async function firstPriced(call: Call, request: Request): Promise<Result<Start>> {
  const { deps, app } = call;
  const off = await readCurrenciesOff(deps.reader, app.appId);
  const cursors = await readCursors(deps.reader);
  const { currency_id } = request;
  const ids =
    currency_id === undefined
      ? (request.currency_ids ?? deps.catalogue.listed().map(({ currency }) => currency.currencyId))
      : [currency_id];
  const none: Refusal = { code: 'currency-off', message: 'no currency is on for this app' };
  let last: Result<Start> = refuse(none);
  for (const id of ids) {
    const known = knownCurrency(call, id);
    if (!known.ok) return known;
    const cursor = cursors.get(known.value.chain.name);
    const usable = checkCurrency(call, known.value, {
      offForApp: off.has(id),
      isRead: readsCurrency(cursor, id),
      haltedReason: cursor?.haltedReason ?? null,
    });
    if (!usable.ok && isStarting(last)) continue;
    last = usable.ok ? await priced(call, request, usable.value) : usable;
    if (last.ok || last.refusal.code === 'field-invalid') return last;
  }
  return last;
}

/** Where no currency can be taken, the refusal of one that is still starting is kept: the merchant may try again soon. */
function isStarting(result: Result<Start>): boolean {
  return !result.ok && result.refusal.code === 'starting';
}

async function priced({ deps }: Call, request: Request, listing: Listing): Promise<Result<Start>> {
  const { token_amount, fiat_name, fiat_amount } = request;
  const isPricedInFiat = token_amount === undefined && fiat_amount !== undefined && fiat_name !== undefined;
  const quote = isPricedInFiat ? await deps.rates.quote(listing.currency, fiat_name) : null;
  const wanted: OrderRequest = {
    fiatName: fiat_name,
    fiatAmount: fiat_amount,
    tokenAmount: token_amount,
    timeOut: request.time_out,
  };
  const terms = openOrder(wanted, listing.currency, quote, unixTime(deps.world));
  if (!terms.ok) return terms;
  return accept({ listing, terms: terms.value, quote: quote?.ok === true ? quote.value : null });
}

function newOrder(
  { app, deps }: Call,
  request: Request,
  { listing, terms, quote }: Start,
  inputHash: string,
): NewOrder {
  return {
    tradeNo: newTradeNo(deps.world),
    appId: app.appId,
    outTradeNo: request.out_trade_no,
    inputHash,
    mode: 'HOSTED',
    chain: listing.chain.name,
    family: listing.chain.family,
    currencyId: listing.currency.currencyId,
    terms,
    tolerancePpm: BigInt(app.tolerancePpm),
    fiatName: request.fiat_name ?? null,
    fiatAmount: request.fiat_amount ?? null,
    quote,
    callbackUrl: request.callback_url ?? null,
    redirectUrl: request.redirect_url ?? null,
    createTime: unixTime(deps.world),
  };
}
