// Turns a hosted order to the currency that its payer chose, at a fresh quote.
import type { ChoiceRefusal } from '@ducat/contract/checkout-view';
import type { Amount } from '@ducat/core/money/amount';
import type { Quote } from '@ducat/core/money/rate';
import { quoteAmount } from '@ducat/core/order/order';
import type { CheckoutOrder } from '../../db/tables/orders/checkout-orders.ts';
import { chooseCurrency } from '../../flows/orders/choose-currency.ts';
import { Outage } from '../../runtime/outage.ts';
import { usableListings } from './offers.ts';
import type { PageListing, PagesDeps } from './port.ts';

/** Parallel orders may empty a pool again as soon as it was filled. */
const MAX_POOL_ROUNDS = 20;

/** Null where the choice was made. */
export async function choose(
  order: CheckoutOrder,
  currencyId: number,
  deps: PagesDeps,
): Promise<ChoiceRefusal | null> {
  const listings = await usableListings(order, deps);
  const listing = listings.find(({ currency }) => currency.currencyId === currencyId);
  if (listing === undefined) return isOffered(order, currencyId) ? 'off' : 'not-offered';
  const priced = await price(order, listing, deps);
  if (priced === null) return 'no-rate';
  const { chain } = listing;
  for (let round = 1; round <= MAX_POOL_ROUNDS; round++) {
    const choice = {
      tradeNo: order.tradeNo,
      chain: chain.name,
      family: chain.family,
      currencyId,
      ...priced,
      nowMs: deps.world.nowMs(),
    };
    const outcome = await deps.transact((tx) => chooseCurrency(tx, choice));
    if (outcome === 'chosen') return null;
    if (outcome !== 'pool-empty') return outcome === 'unknown' ? 'not-offered' : outcome;
    await deps.fillPool(order.appId, chain.family);
  }
  throw new Error(`the address pool of ${order.appId} stayed empty through ${MAX_POOL_ROUNDS} fillings`);
}

function isOffered({ hosted }: CheckoutOrder, currencyId: number): boolean {
  return hosted !== null && (hosted.offered === null || hosted.offered.includes(currencyId));
}

interface Priced {
  readonly due: Amount;
  readonly quote: Quote | null;
}

/**
 * An order that was priced in tokens keeps its amount; null for another currency than its own. Null also without a fresh
 * rate.
 */
async function price(
  order: CheckoutOrder,
  { currency }: PageListing,
  { rates }: PagesDeps,
): Promise<Priced | null> {
  const { fiatName, fiatAmount } = order;
  const isPricedInTokens = order.quote === null && !order.isQuoteDamaged;
  if (isPricedInTokens || fiatName === null || fiatAmount === null)
    return currency.currencyId === order.currencyId ? { due: order.due, quote: null } : null;
  try {
    const quote = await rates.quote(currency, fiatName);
    const due = quoteAmount(fiatAmount, currency, quote);
    return due.ok && quote.ok ? { due: due.value, quote: quote.value } : null;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}
