// The quote an order was priced with, as JSON in its row: written once, with everything it rests on.
import { assert } from '@ducat/core/assert';
import type { Quote } from '@ducat/core/money/rate';
import type { Evidence, Verdict } from '@ducat/core/money/reading';

/** A quote with its big numbers as text, which JSON keeps exactly. */
export interface QuoteJson {
  readonly fiat: string;
  readonly priceUnits: string;
  readonly at: number;
  readonly source: string;
  /** Absent in rows from before there was any. */
  readonly evidence?: readonly EvidenceJson[];
}

interface EvidenceJson extends Omit<Evidence, 'priceUnits'> {
  readonly priceUnits: string;
}

/** More would mean that somebody made a rate from something else than the sources there are. */
const MAX_EVIDENCE = 50;

/** The JSON text of a quote. */
export function quoteText({ rate, at, source, evidence }: Quote): string {
  assert(evidence.length <= MAX_EVIDENCE, 'a quote rests on more readings than there are sources');
  const json: QuoteJson = {
    fiat: rate.fiat,
    priceUnits: rate.priceUnits.toString(),
    at,
    source,
    evidence: evidence.map((item) => ({ ...item, priceUnits: item.priceUnits.toString() })),
  };
  return JSON.stringify(json);
}

/**
 * A quote out of its row; null where the JSON was damaged by hand. Nothing is decided by it any more once the order
 * stands, so the order goes on without it.
 */
export function quoteFrom(json: unknown): Quote | null {
  if (!isQuoteJson(json)) return null;
  const { fiat, priceUnits, at, source, evidence = [] } = json;
  return {
    rate: { fiat, priceUnits: BigInt(priceUnits) },
    at,
    source,
    evidence: evidence.map((item) => ({ ...item, priceUnits: BigInt(item.priceUnits) })),
  };
}

const VERDICTS: ReadonlySet<unknown> = new Set<Verdict>(['used', 'far', 'old', 'ahead']);

function isQuoteJson(json: unknown): json is QuoteJson {
  if (!isObject(json)) return false;
  const { fiat, priceUnits, at, source, evidence = [] } = json;
  const isWhole = typeof fiat === 'string' && isUnits(priceUnits) && Number.isSafeInteger(at);
  return isWhole && typeof source === 'string' && Array.isArray(evidence) && evidence.every(isEvidenceJson);
}

function isEvidenceJson(json: unknown): boolean {
  if (!isObject(json)) return false;
  const { source, base, quote, priceUnits, at, verdict } = json;
  const names = [source, base, quote].every((name) => typeof name === 'string');
  return names && isUnits(priceUnits) && Number.isSafeInteger(at) && VERDICTS.has(verdict);
}

function isUnits(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9]{1,80}$/.test(value);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
