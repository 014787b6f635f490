// The currencies that the payer of a hosted order may choose now, each with its approximate cost.
import type { PageOffer } from '@ducat/contract/checkout-view';
import { formatAmount, formatDecimal } from '@ducat/core/money/decimal';
import { fiatValueOf } from '@ducat/core/money/rate';
import { quoteAmount } from '@ducat/core/order/order';
import { readCurrenciesOff } from '../../db/tables/apps.ts';
import { readCursors, readsCurrency } from '../../db/tables/cursors.ts';
import type { CheckoutOrder } from '../../db/tables/orders/checkout-orders.ts';
import { Outage } from '../../runtime/outage.ts';
import type { PageListing, PagesDeps } from './port.ts';
import { presentCurrency } from './present-checkout.ts';
import type { TransferFees } from './transfer-fees.ts';

type OffersDeps = Pick<PagesDeps, 'reader' | 'catalogue' | 'rates' | 'addressSchemes'> & {
  readonly fees: TransferFees;
};

/** The currencies that can be paid in now, of those that the merchant offers. Empty where there is nothing to choose. */
export async function readOffers(order: CheckoutOrder, deps: OffersDeps): Promise<readonly PageOffer[]> {
  const usable = await usableListings(order, deps);
  if (order.fiatName === null || order.fiatAmount === null) return [];
  const { fiatName, fiatAmount } = order;
  const offers = await Promise.all(
    usable.map(async (listing) => ({
      ...presentCurrency(listing, deps),
      amount: await aboutWhat(listing, { fiatName, fiatAmount }, deps),
      fee: await feeIn(fiatName, listing, deps),
    })),
  );
  // A currency without a price cannot be chosen.
  return offers.filter(({ amount }) => amount !== '');
}

/** The currencies that an order may be turned to now, in the order of the definitions. */
export async function usableListings(
  order: CheckoutOrder,
  { reader, catalogue }: Pick<PagesDeps, 'reader' | 'catalogue'>,
): Promise<readonly PageListing[]> {
  if (order.hosted === null || !order.isAppOn) return [];
  const { offered } = order.hosted;
  const [off, cursors] = await Promise.all([readCurrenciesOff(reader, order.appId), readCursors(reader)]);
  return catalogue.listed().filter(({ chain, currency: { currencyId } }) => {
    const isOffered = offered === null || offered.includes(currencyId);
    const cursor = cursors.get(chain.name);
    return (
      isOffered && !off.has(currencyId) && cursor?.haltedReason === null && readsCurrency(cursor, currencyId)
    );
  });
}

interface FiatPrice {
  readonly fiatName: string;
  readonly fiatAmount: string;
}

async function aboutWhat(
  { currency }: PageListing,
  { fiatName, fiatAmount }: FiatPrice,
  { rates }: OffersDeps,
): Promise<string> {
  try {
    const amount = quoteAmount(fiatAmount, currency, await rates.quote(currency, fiatName));
    return amount.ok ? formatAmount(amount.value, currency) : '';
  } catch (error) {
    if (error instanceof Outage) return '';
    throw error;
  }
}

const FEE_DECIMALS = 2;

/** Rounded up to whole hundredths: a hint never says that a transfer is free. */
async function feeIn(
  fiat: string,
  listing: PageListing,
  { catalogue, rates, fees }: OffersDeps,
): Promise<string> {
  const fee = await fees.of(listing);
  const native = fee === null ? null : catalogue.find(fee.currencyId);
  if (fee === null || native === null) return '';
  try {
    const quote = await rates.quote(native.currency, fiat);
    if (!quote.ok) return '';
    return formatDecimal(
      fiatValueOf(fee, quote.value.rate, native.currency, FEE_DECIMALS, 'up'),
      FEE_DECIMALS,
    );
  } catch (error) {
    if (error instanceof Outage) return '';
    throw error;
  }
}
