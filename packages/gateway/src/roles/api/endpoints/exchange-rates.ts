// order/exchange-rates: what a fiat sum costs in a currency now, reserving nothing.
import { assert } from '@ducat/core/assert';
import { formatAmount, formatDecimal } from '@ducat/core/money/decimal';
import { RATE_DECIMALS } from '@ducat/core/money/reading';
import { quoteAmount } from '@ducat/core/order/order';
import { accept } from '@ducat/core/result';
import type { Handler } from '../handler.ts';
import { usableCurrency } from '../usable-currency.ts';

export const handleExchangeRates: Handler<'exchange-rates'> = async (call, request) => {
  // A quote in a currency that cannot be ordered would mislead, so the same checks are made as for an order.
  const listing = await usableCurrency(call, request.currency_id);
  if (!listing.ok) return listing;
  const { currency } = listing.value;
  const quote = await call.deps.rates.quote(currency, request.fiat_name);
  const amount = quoteAmount(request.fiat_amount, currency, quote);
  if (!amount.ok) return amount;
  assert(quote.ok, 'an amount was quoted without a rate');
  return accept({
    amount: formatAmount(amount.value, currency),
    exchange_rate: formatDecimal(quote.value.rate.priceUnits, RATE_DECIMALS),
  });
};
