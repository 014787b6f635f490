// An order, and how one is opened: what is due, until when, or why not.
import { assert } from '../assert.ts';
import type { Currency } from '../chain/currency.ts';
import { type Amount, isPositive, unitsOf, zero } from '../money/amount.ts';
import { parseAmount, parseDecimal } from '../money/decimal.ts';
import { type Quote, tokensFor } from '../money/rate.ts';
import { fieldInvalid } from '../refusal.ts';
import { accept, type Result, refuse } from '../result.ts';

/** The states the wire knows; the last two are final (decision B7). */
export const orderStatuses = ['TO-BE-PAID', 'PAID', 'TIME-OUT'] as const;

export type OrderStatus = (typeof orderStatuses)[number];

/** The widest tolerance, in parts per million: an order that received nothing is never PAID. */
export const MAX_TOLERANCE_PPM = 999_999n;

export interface Order {
  readonly tradeNo: string;
  readonly appId: string;
  readonly currencyId: number;
  readonly due: Amount;
  /** The sum of final transfers, late and extra ones too. Only a reversal decreases it. */
  readonly collected: Amount;
  /** The newest final transfer that counted, "" before the first. */
  readonly lastTxId: string;
  /** How far below `due` still counts as paid in full, in parts per million. */
  readonly tolerancePpm: bigint;
  readonly status: OrderStatus;
  /** Unix seconds. */
  readonly createTime: number;
  /** Unix seconds; a transfer is in time when its block's time is at most this. */
  readonly timeExpire: number;
}

/** What a merchant asks for, as the wire's fields stand. */
export interface OrderRequest {
  readonly fiatName?: string | undefined;
  readonly fiatAmount?: string | undefined;
  readonly tokenAmount?: string | undefined;
  /** Unix seconds; 0 or absent means the default. */
  readonly timeOut?: number | undefined;
}

export interface OrderTerms {
  readonly due: Amount;
  readonly collected: Amount;
  readonly timeExpire: number;
}

/** Digits behind the point that a fiat amount may have. */
const FIAT_DECIMALS = 8;
const DEFAULT_EXPIRY_S = 30 * 60;
const MIN_EXPIRY_S = 60;
const MAX_EXPIRY_S = 30 * 24 * 60 * 60;
/** No chain counts further than this. */
const MAX_UNITS = 2n ** 256n - 1n;

/** Whether the terms of this request depend on a rate (decision B1: token_amount wins). */
export function needsQuote(request: OrderRequest): boolean {
  return request.tokenAmount === undefined && request.fiatAmount !== undefined;
}

// ~ tour 4/15: what is due, and until when, is decided without a clock or a database.
// → packages/gateway/src/flows/orders/place-orders.ts
/**
 * Decides the terms of a new order at `now` (Unix seconds), or refuses with the field at fault. `quote` is what the
 * rate source answered, null where it was not asked because `needsQuote` is false.
 */
export function openOrder(
  request: OrderRequest,
  currency: Currency,
  quote: Result<Quote> | null,
  now: number,
): Result<OrderTerms> {
  const due = amountDue(request, currency, quote);
  if (!due.ok) return due;
  const timeExpire = expiry(request.timeOut ?? 0, now);
  if (!timeExpire.ok) return timeExpire;
  return accept({ due: due.value, collected: zero(currency.currencyId), timeExpire: timeExpire.value });
}

/** The tokens for a fiat sum at a quote (decisions B2 and B17), or why there are none. */
export function quoteAmount(fiatAmount: string, currency: Currency, quote: Result<Quote>): Result<Amount> {
  const fiatUnits = parseDecimal(fiatAmount, FIAT_DECIMALS);
  if (fiatUnits === null) {
    return refuse(
      fieldInvalid('fiat_amount', `must be a plain decimal with at most ${FIAT_DECIMALS} decimals`),
    );
  }
  if (fiatUnits === 0n) return refuse(fieldInvalid('fiat_amount', 'must be more than zero'));
  if (!quote.ok) return quote;
  const due = tokensFor(fiatUnits, FIAT_DECIMALS, quote.value.rate, currency, 'up');
  if (unitsOf(due) > MAX_UNITS)
    return refuse(fieldInvalid('fiat_amount', 'is more than the chain can count'));
  return accept(due);
}

function amountDue(request: OrderRequest, currency: Currency, quote: Result<Quote> | null): Result<Amount> {
  const { tokenAmount, fiatAmount, fiatName } = request;
  if (fiatAmount !== undefined && fiatName === undefined) {
    return refuse(fieldInvalid('fiat_name', 'is required where fiat_amount is given'));
  }
  if (tokenAmount === undefined) {
    if (fiatAmount === undefined) {
      return refuse(fieldInvalid('token_amount', 'or fiat_amount with fiat_name is required'));
    }
    assert(quote !== null, 'an order priced in fiat was opened without asking for a rate');
    return quoteAmount(fiatAmount, currency, quote);
  }
  if (fiatAmount !== undefined && parseDecimal(fiatAmount, FIAT_DECIMALS) === null) {
    return refuse(
      fieldInvalid('fiat_amount', `must be a plain decimal with at most ${FIAT_DECIMALS} decimals`),
    );
  }
  const due = parseAmount(tokenAmount, currency);
  if (due === null) {
    const message = `must be a plain decimal with at most ${currency.decimals} decimals, as ${currency.symbol} has`;
    return refuse(fieldInvalid('token_amount', message));
  }
  if (!isPositive(due)) return refuse(fieldInvalid('token_amount', 'must be more than zero'));
  if (unitsOf(due) > MAX_UNITS)
    return refuse(fieldInvalid('token_amount', 'is more than the chain can count'));
  return accept(due);
}

function expiry(timeOut: number, now: number): Result<number> {
  if (timeOut === 0) return accept(now + DEFAULT_EXPIRY_S);
  if (timeOut < 1_000_000_000 || timeOut > 9_999_999_999) {
    return refuse(fieldInvalid('time_out', 'must be 0 or a Unix time in seconds with ten digits'));
  }
  if (timeOut < now + MIN_EXPIRY_S || timeOut > now + MAX_EXPIRY_S) {
    return refuse(fieldInvalid('time_out', 'must lie between one minute and 30 days from now'));
  }
  return accept(timeOut);
}
