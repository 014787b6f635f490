// The quote an order was priced with, as JSON in its row: written once, with everything it rests on.
import { assert } from '@ducat/core/assert';
import type { Quote } from '@ducat/core/money/rate';
import type { Evidence } from '@ducat/core/money/reading';

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

/** A quote out of its row. */
export function quoteFrom({ fiat, priceUnits, at, source, evidence = [] }: QuoteJson): Quote {
  return {
    rate: { fiat, priceUnits: BigInt(priceUnits) },
    at,
    source,
    evidence: evidence.map((item) => ({ ...item, priceUnits: BigInt(item.priceUnits) })),
  };
}
