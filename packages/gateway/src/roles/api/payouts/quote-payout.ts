// What a payout costs and is worth: the network fee in the payout's currency, and the value for the limits.
import { type ChainDefinition, nativeCurrency } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { type Amount, compare, zero } from '@ducat/core/money/amount';
import { convert, fiatValueOf, type Rate } from '@ducat/core/money/rate';
import { balanceShort, feeCapOf, VALUE_DECIMALS } from '@ducat/core/payout/open-payout';
import { fieldInvalid } from '@ducat/core/refusal';
import { accept, type Result, refuse } from '@ducat/core/result';
import { readBalances } from '../../../db/tables/books/ledger.ts';
import { Outage } from '../../../runtime/outage.ts';
import type { Listing } from '../catalogue.ts';
import type { Call } from '../handler.ts';
import type { FeeEstimate, NetworkFees, WantedTransfer } from './network-fees.ts';

export interface PayoutQuote {
  /** The network fee, in the payout's currency (`gas`) and in the native currency, in which it is paid (`networkFee`). */
  readonly gas: Amount;
  readonly networkFee: Amount;
  readonly feeCap: Amount;
  /** What the amount is worth, in 10^-6 USD; null without a price. */
  readonly value: bigint | null;
}

/** The fiat currency in which prices are compared and limits are stated. */
const VALUE_FIAT = 'USD';

type Wanted = Pick<WantedTransfer, 'to' | 'amount'>;

/** Checks the balance first: for an amount that it does not cover, neither the chain nor the rates are asked. */
export async function quotePayout(
  call: Call,
  listing: Listing,
  wanted: Wanted,
): Promise<Result<PayoutQuote>> {
  const { app, deps } = call;
  const { currency } = listing;
  const balances = await readBalances(deps.reader, app.appId);
  const available = balances.get(currency.currencyId)?.operable ?? zero(currency.currencyId);
  if (compare(available, wanted.amount) < 0) return balanceShort(available, wanted.amount, currency);
  return priceTransfer(call, listing, wanted);
}

/** Asks the chain and the rates, whatever the balance. */
export async function priceTransfer(
  call: Call,
  { chain, currency }: Listing,
  { to, amount }: Wanted,
): Promise<Result<PayoutQuote>> {
  const { app, deps } = call;
  const fees = deps.networkFees.get(chain.name);
  if (fees === undefined) return unavailable(`payouts on ${chain.name} are not set up`);
  const estimate = await estimateOf(call, fees, { appId: app.appId, to, currency, amount });
  if (estimate === null) return unavailable(`the network fee of ${chain.name} is not known now`);
  if (estimate.outcome === 'impossible') {
    deps.logger.info({ chain: chain.name, to, why: estimate.text }, 'a payout would not be executed');
    return refuse(fieldInvalid('to_address', why[estimate.reason]));
  }
  return inOwnCurrency(call, chain, currency, { amount, ...estimate });
}

const why = {
  reverts: 'cannot be paid: the chain would not execute the transfer',
  'too-dear': 'cannot be paid: the transfer would burn more than any plain transfer does',
} as const;

async function estimateOf(
  { deps }: Call,
  fees: NetworkFees,
  transfer: WantedTransfer,
): Promise<FeeEstimate | null> {
  try {
    return await fees.estimate(transfer);
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    deps.logger.warn({ err: error }, 'the network fee of a payout could not be determined');
    return null;
  }
}

type PossibleFee = Omit<Extract<FeeEstimate, { outcome: 'possible' }>, 'outcome'>;

async function inOwnCurrency(
  { deps }: Call,
  chain: ChainDefinition,
  currency: Currency,
  { amount, expected, most, unaided }: { readonly amount: Amount } & PossibleFee,
): Promise<Result<PayoutQuote>> {
  const native = nativeCurrency(chain);
  // Many payouts are quoted before the first is sent, and the wallet's energy is enough for only some of them.
  // mark: energy-is-no-discount
  const fees = unaided ?? { expected, most };
  const networkFee = fees.expected;
  const fee = { networkFee, feeCap: feeCapOf(fees.most, chain.family) };
  const own = await priceOf(deps, currency);
  const value = own === null ? null : fiatValueOf(amount, own, currency, VALUE_DECIMALS, 'up');
  if (native.currencyId === currency.currencyId) return accept({ gas: networkFee, ...fee, value });
  const paid = await priceOf(deps, native);
  if (own === null || paid === null) {
    const message = `the network fee cannot be stated in ${currency.symbol}: there is no rate for it now`;
    return refuse({ code: 'rate-unavailable', field: 'currency_id', message });
  }
  const gas = convert(networkFee, { ...native, rate: paid }, { ...currency, rate: own }, 'up');
  return accept({ gas, ...fee, value });
}

async function priceOf({ rates }: Call['deps'], currency: Currency): Promise<Rate | null> {
  try {
    const quote = await rates.quote(currency, VALUE_FIAT);
    return quote.ok ? quote.value.rate : null;
  } catch (error) {
    if (error instanceof Outage) return null;
    throw error;
  }
}

function unavailable(message: string): Result<never> {
  return refuse({ code: 'fee-unavailable', field: 'currency_id', message });
}
