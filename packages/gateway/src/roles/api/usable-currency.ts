// Whether an app can take a currency now: known, on, and its chain read and running.
import { accept, type Result, refuse } from '@ducat/core/result';
import { readCurrenciesOff } from '../../db/tables/apps.ts';
import { readCursors, readsCurrency } from '../../db/tables/cursors.ts';
import type { CurrencyState } from '../../db/tables/orders/before-orders.ts';
import type { Listing } from './catalogue.ts';
import type { Call } from './handler.ts';

/** The currency of a number, on or off. Refused where the number is not known. */
export function knownCurrency({ deps }: Call, currencyId: number): Result<Listing> {
  const listing = deps.catalogue.find(currencyId);
  if (listing !== null) return accept(listing);
  const message = 'currency_id is not known; see token-list';
  return refuse({ code: 'currency-unknown', field: 'currency_id', message });
}

/**
 * The currency, where an order in it may be opened. A chain whose blocks are not being read counts as off: money
 * sent to an address before the first block is read would not be seen.
 */
export async function usableCurrency(call: Call, currencyId: number): Promise<Result<Listing>> {
  const known = knownCurrency(call, currencyId);
  if (!known.ok) return known;
  return checkCurrency(call, known.value, await readState(call, known.value));
}

/**
 * The currency, where payouts may be made in it. A halted chain does not make the currency unsupported. It is refused with
 * 'chain-halted', as something that cannot be done now.
 */
export async function payableCurrency(call: Call, currencyId: number): Promise<Result<Listing>> {
  const known = knownCurrency(call, currencyId);
  if (!known.ok) return known;
  const state = await readState(call, known.value);
  const usable = checkCurrency(call, known.value, { ...state, haltedReason: null });
  if (!usable.ok || state.haltedReason === null) return usable;
  const message = `${known.value.chain.name} is halted for inspection: nothing is paid out there now`;
  return refuse({ code: 'chain-halted', field: 'currency_id', message });
}

async function readState({ app, deps }: Call, { chain, currency }: Listing): Promise<CurrencyState> {
  const offForApp = await readCurrenciesOff(deps.reader, app.appId);
  const cursor = (await readCursors(deps.reader)).get(chain.name);
  return {
    offForApp: offForApp.has(currency.currencyId),
    isRead: readsCurrency(cursor, currency.currencyId),
    haltedReason: cursor?.haltedReason ?? null,
  };
}

/** The check of `usableCurrency`, for a listing whose state was read already. */
export function checkCurrency({ deps }: Call, listing: Listing, state: CurrencyState): Result<Listing> {
  const { chain, currency } = listing;
  const named = `${currency.symbol} on ${chain.name}`;
  const suspension = deps.catalogue.suspension(currency.currencyId);
  if (suspension !== null) return off(`${named} is suspended (${suspension})`);
  const isUnasked = deps.catalogue.isStarting(currency.currencyId);
  if (!isUnasked && !deps.catalogue.isOn(currency.currencyId)) {
    const why = currency.offReason === undefined ? '' : ` (${currency.offReason})`;
    return off(`${named} is switched off${why}`);
  }
  if (state.offForApp) return off(`${named} is switched off for this app`);
  if (isUnasked) return starting(`${named} is not confirmed by its chain yet`);
  if (!state.isRead) return starting(`${chain.name} is not being read for ${currency.symbol} yet`);
  if (state.haltedReason !== null) return off(`${chain.name} is halted for inspection`);
  return accept(listing);
}

/** A currency that is not off: the merchant has to wait a moment, and need not offer another currency. */
function starting(reason: string): Result<Listing> {
  const message = `the gateway is starting: ${reason}; try again`;
  return refuse({ code: 'starting', field: 'currency_id', message });
}

function off(reason: string): Result<Listing> {
  const message = `currency_id is temporarily not supported: ${reason}`;
  return refuse({ code: 'currency-off', field: 'currency_id', message });
}
