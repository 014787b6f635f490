// The medians that a quote rests on, worked out again from its evidence, for audits.
import { medianOf } from './consensus.ts';
import { type Evidence, multiplyPrices } from './reading.ts';

export interface EvidenceMedian {
  readonly base: string;
  readonly quote: string;
  /** The middle of the young prices; in units of 10^-18 of `quote`. */
  readonly priceUnits: bigint;
  /** Every reading that was looked at for this median, also those that took no part. */
  readonly readings: readonly Evidence[];
}

const DOLLAR = 'USD';
const TETHER = 'USDT';

/**
 * One median for each base, in the order of the evidence. Coins are compared in dollars: a price in USDT counts at USDT's
 * own median. A base without a young price is left out; only damaged evidence has such a base.
 */
export function evidenceMedians(evidence: readonly Evidence[]): readonly EvidenceMedian[] {
  const bases = [...new Set(evidence.map(({ base }) => base))];
  const tether = medianIn(evidence, TETHER, null);
  return bases.flatMap((base) => {
    const readings = evidence.filter((item) => item.base === base);
    const quote = base === DOLLAR ? (readings[0]?.quote ?? '') : DOLLAR;
    const priceUnits = medianIn(evidence, base, tether);
    return priceUnits === null ? [] : [{ base, quote, priceUnits, readings }];
  });
}

function medianIn(evidence: readonly Evidence[], base: string, tether: bigint | null): bigint | null {
  const prices = young(evidence)
    .filter((item) => item.base === base)
    .flatMap(({ quote, priceUnits }) => {
      if (quote !== TETHER) return [priceUnits];
      return tether === null ? [] : [multiplyPrices(priceUnits, tether, 'down')];
    });
  return medianOrNull(prices);
}

/** The readings whose time was right. The median is made of all of them, also of those that are far from it. */
function young(evidence: readonly Evidence[]): readonly Evidence[] {
  return evidence.filter(({ verdict }) => verdict === 'used' || verdict === 'far');
}

function medianOrNull(prices: readonly bigint[]): bigint | null {
  return prices.length === 0 ? null : medianOf(prices);
}
