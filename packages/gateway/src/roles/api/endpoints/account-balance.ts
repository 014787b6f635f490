// account/balance: what the calling app owns in one currency, and what that is worth in USDT.
import { type Currency, rateAssetOf } from '@ducat/core/chain/currency';
import { balanceOf } from '@ducat/core/ledger/balance';
import { type Amount, isZero } from '@ducat/core/money/amount';
import { formatAmount, formatDecimal } from '@ducat/core/money/decimal';
import { fiatValueOf, type Quote } from '@ducat/core/money/rate';
import { accept } from '@ducat/core/result';
import { Outage } from '../../../runtime/outage.ts';
import type { RateSource } from '../../../rates/port.ts';
import { readBalances } from '../../../db/tables/books/ledger.ts';
import type { Handler } from '../handler.ts';
import { presentToken } from '../present.ts';
import { knownCurrency } from '../usable-currency.ts';

/** Digits behind the point of a value in USDT; the rest is cut off. */
const VALUE_DECIMALS = 6;
/** A balance is shown even while its value is unknown; the contract has no other way to write an unknown value. */
const UNKNOWN_VALUE = '0';

export const handleAccountBalance: Handler<'account-balance'> = async (call, request) => {
  const { app, deps } = call;
  // A currency that went off keeps its balance, so only an unknown number is refused.
  const known = knownCurrency(call, request.currency_id);
  if (!known.ok) return known;
  const { currency } = known.value;
  const balances = await readBalances(deps.reader, app.appId);
  const balance = balances.get(currency.currencyId) ?? balanceOf(currency.currencyId, []);
  const quote = isZero(balance.total) ? null : await quoteIfAny(deps.rates, currency);
  const { chain, network, token, contract } = presentToken(known.value, deps);
  return accept({
    currency_id: currency.currencyId,
    balance: formatAmount(balance.total, currency),
    balance_usdt: valueOf(balance.total, currency, quote),
    operable_balance: formatAmount(balance.operable, currency),
    operable_balance_usdt: valueOf(balance.operable, currency, quote),
    chain,
    network,
    token,
    contract,
  });
};

/** A currency whose rate asset is USDT is its own value and needs no source. The symbol alone does not make it USDT. */
function valueOf(amount: Amount, currency: Currency, quote: Quote | null): string {
  if (rateAssetOf(currency) === 'USDT') return formatAmount(amount, currency);
  if (quote === null) return UNKNOWN_VALUE;
  return formatDecimal(fiatValueOf(amount, quote.rate, currency, VALUE_DECIMALS, 'down'), VALUE_DECIMALS);
}

async function quoteIfAny(rates: RateSource, currency: Currency): Promise<Quote | null> {
  try {
    const answer = await rates.quote(currency, 'USDT');
    return answer.ok ? answer.value : null;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}
