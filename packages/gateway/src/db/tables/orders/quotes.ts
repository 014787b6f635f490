// The quote an order was priced with, as JSON in its row: written once.
import type { Quote } from '@ducat/core/money/rate';

/** A quote as its order keeps it. Its evidence is kept apart, see `quote-evidence.ts`. */
export type KeptQuote = Omit<Quote, 'evidence'>;

/** The same with its big number as text, which JSON keeps exactly. */
export interface QuoteJson {
  readonly fiat: string;
  readonly priceUnits: string;
  readonly at: number;
  readonly source: string;
}

/** The JSON text of a quote. */
export function quoteText({ rate, at, source }: KeptQuote): string {
  const json: QuoteJson = { fiat: rate.fiat, priceUnits: rate.priceUnits.toString(), at, source };
  return JSON.stringify(json);
}

/**
 * A quote out of its row; null if the JSON was damaged by hand. The order goes on without it, because a quote decides
 * nothing once the order exists.
 */
export function quoteFrom(json: unknown): KeptQuote | null {
  if (!isQuoteJson(json)) return null;
  const { fiat, priceUnits, at, source } = json;
  return { rate: { fiat, priceUnits: BigInt(priceUnits) }, at, source };
}

function isQuoteJson(json: unknown): json is QuoteJson {
  if (!isObject(json)) return false;
  const { fiat, priceUnits, at, source } = json;
  return (
    typeof fiat === 'string' && isUnits(priceUnits) && Number.isSafeInteger(at) && typeof source === 'string'
  );
}

/** Whether a value is a whole number as text that is no longer than any price. */
export function isUnits(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9]{1,80}$/.test(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
