// An amount is a type, not a number: a currency and a whole count of its base units.
import { assert } from '../assert.ts';

/** The globally unique number of a currency on a chain, pinned for ever (decision F). */
export type CurrencyId = number;

/**
 * Whole base units of one currency; may be negative in postings.
 * The units are read only in this room; elsewhere amounts are moved as they are,
 * and `unitsOf` is for the rooms that persist or decode them.
 */
export interface Amount {
  readonly currencyId: CurrencyId;
  readonly units: bigint;
}

/** How a division that does not come out even is rounded. Always named by the caller. */
export type Rounding = 'down' | 'up';

/** `units` are base units of the currency, as the chain counts them. */
export function amountOf(currencyId: CurrencyId, units: bigint): Amount {
  return { currencyId, units };
}

export function zero(currencyId: CurrencyId): Amount {
  return { currencyId, units: 0n };
}

/** The base units, for rooms that store or decode an amount. */
export function unitsOf(amount: Amount): bigint {
  return amount.units;
}

export function add(a: Amount, b: Amount): Amount {
  assertSameCurrency(a, b);
  return { currencyId: a.currencyId, units: a.units + b.units };
}

export function subtract(a: Amount, b: Amount): Amount {
  assertSameCurrency(a, b);
  return { currencyId: a.currencyId, units: a.units - b.units };
}

export function negate(a: Amount): Amount {
  return { currencyId: a.currencyId, units: -a.units };
}

/** -1, 0 or 1, as `a` is less than, equal to or more than `b`. */
export function compare(a: Amount, b: Amount): -1 | 0 | 1 {
  assertSameCurrency(a, b);
  if (a.units === b.units) return 0;
  return a.units < b.units ? -1 : 1;
}

export function isZero(a: Amount): boolean {
  return a.units === 0n;
}

export function isPositive(a: Amount): boolean {
  return a.units > 0n;
}

/**
 * A share of a non-negative amount in parts per million, and what the rounding left over.
 * `part` + `rest` is the amount again, so nothing is created or destroyed.
 */
export function share(
  amount: Amount,
  partsPerMillion: bigint,
  rounding: Rounding,
): { readonly part: Amount; readonly rest: Amount } {
  assert(amount.units >= 0n && partsPerMillion >= 0n, 'a share is taken of a non-negative amount');
  const part = divide(amount.units * partsPerMillion, 1_000_000n, rounding);
  return {
    part: { currencyId: amount.currencyId, units: part },
    rest: { currencyId: amount.currencyId, units: amount.units - part },
  };
}

/** One of so many equal parts, rounded to a unit. */
export function partOf(amount: Amount, count: bigint, rounding: Rounding): Amount {
  return amountOf(amount.currencyId, divide(amount.units, count, rounding));
}

/** So many times an amount. */
export function times(amount: Amount, count: bigint): Amount {
  return { currencyId: amount.currencyId, units: amount.units * count };
}

/** How many times a positive amount fits into a non-negative one. */
export function timesIn(amount: Amount, part: Amount, rounding: Rounding): bigint {
  assertSameCurrency(amount, part);
  return divide(amount.units, part.units, rounding);
}

/** What is added to a quotient that does not come out even. */
const oneMore: Readonly<Record<Rounding, bigint>> = { down: 0n, up: 1n };

/** Whole-number division of non-negative numbers with a named rounding. */
export function divide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  assert(numerator >= 0n && denominator > 0n, 'division is of non-negative numbers by a positive one');
  const quotient = numerator / denominator;
  return numerator % denominator === 0n ? quotient : quotient + oneMore[rounding];
}

function assertSameCurrency(a: Amount, b: Amount): void {
  assert(
    a.currencyId === b.currencyId,
    `amounts of currencies ${a.currencyId} and ${b.currencyId} were mixed`,
  );
}
