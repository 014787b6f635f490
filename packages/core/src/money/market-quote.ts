// The rate of a coin in a fiat currency from what the market's sources report: crosses over the dollar, nothing assumed.
import { assert } from '../assert.ts';
import { accept, type Result, refuse } from '../result.ts';
import { agree, type Consensus, type ConsensusLimits, type Vote } from './consensus.ts';
import type { Quote } from './rate.ts';
import { dividePrices, type Evidence, multiplyPrices, ONE, type Reading } from './reading.ts';

/** The source that every quote made here names; the sources behind it are in the evidence. */
const MARKET_SOURCE = 'market median';

/** All crosses go over the dollar. */
const DOLLAR = 'USD';
/** A coin like any other, in which some sources price the rest. Its own price in dollars is asked of the market. */
const TETHER = 'USDT';

export interface MarketLimits {
  /** For prices of coins, which move by the second. */
  readonly coin: ConsensusLimits;
  /** Coins for which one source is enough, by the operator's own word. */
  readonly singleSource: ReadonlySet<string>;
  /** For reference rates between fiat currencies, which are set once a day. */
  readonly fiat: ConsensusLimits;
}

/** The newest reading of each source about a pair. */
export type ReadingsOf = (base: string, quote: string) => readonly Reading[];

/**
 * Prices one `symbol` in `fiat` at `now` (Unix seconds). Every division and product is rounded down, so that an order
 * priced with it asks for a little more rather than less. Refuses in words where the market has no safe answer.
 */
export function marketQuote(
  symbol: string,
  fiat: string,
  readingsOf: ReadingsOf,
  limits: MarketLimits,
  now: number,
): Result<Quote> {
  // One USDT is one USDT whatever it is worth. A token that merely calls itself EUR is worth what the market says.
  if (symbol === TETHER && fiat === TETHER) return quoteOf(fiat, { priceUnits: ONE, at: now, evidence: [] });
  const coin = inDollars(symbol, readingsOf, limits, now);
  if (!coin.ok || fiat === DOLLAR) return coin.ok ? quoteOf(fiat, coin.value) : coin;
  if (fiat === TETHER) {
    const tether = inDollars(TETHER, readingsOf, limits, now);
    if (!tether.ok) return tether;
    const priceUnits = dividePrices(coin.value.priceUnits, tether.value.priceUnits, 'down');
    return quoteOf(fiat, {
      priceUnits,
      at: Math.min(coin.value.at, tether.value.at),
      evidence: merged(coin.value.evidence, tether.value.evidence),
    });
  }
  const votes = readingsOf(DOLLAR, fiat).map(voteOf);
  const perDollar = agree(`${DOLLAR} in ${fiat}`, votes, limits.fiat, now);
  if (!perDollar.ok) return perDollar;
  return quoteOf(fiat, {
    priceUnits: multiplyPrices(coin.value.priceUnits, perDollar.value.priceUnits, 'down'),
    // A reference rate holds until the next one is set, so it does not make the quote old; its time is in the evidence.
    at: coin.value.at,
    evidence: merged(coin.value.evidence, perDollar.value.evidence),
  });
}

/** The coin's price in dollars; prices in USDT count too, at what USDT itself is worth now. */
function inDollars(
  symbol: string,
  readingsOf: ReadingsOf,
  limits: MarketLimits,
  now: number,
): Result<Consensus> {
  const subject = `${symbol} in ${DOLLAR}`;
  const own = limits.singleSource.has(symbol) ? { ...limits.coin, minSources: 1 } : limits.coin;
  const direct = readingsOf(symbol, DOLLAR).map(voteOf);
  const reporters = new Set(direct.map(({ reading }) => reading.source));
  const inTether =
    symbol === TETHER ? [] : readingsOf(symbol, TETHER).filter(({ source }) => !reporters.has(source));
  if (inTether.length === 0) return agree(subject, direct, own, now);
  const tether = inDollars(TETHER, readingsOf, limits, now);
  if (!tether.ok) return agree(subject, direct, own, now);
  const crossed = inTether.map((reading) => ({
    reading,
    priceUnits: multiplyPrices(reading.priceUnits, tether.value.priceUnits, 'down'),
  }));
  const agreed = agree(subject, [...direct, ...crossed], own, now);
  if (!agreed.ok) return agreed;
  const { priceUnits, at, evidence } = agreed.value;
  const restsOnTether = evidence.some(({ quote, verdict }) => quote === TETHER && verdict === 'used');
  return accept({
    priceUnits,
    at: restsOnTether ? Math.min(at, tether.value.at) : at,
    evidence: merged(evidence, tether.value.evidence),
  });
}

function voteOf(reading: Reading): Vote {
  return { reading, priceUnits: reading.priceUnits };
}

/** Both, without what is in both: the price of USDT may be asked twice for one quote. */
function merged(first: readonly Evidence[], second: readonly Evidence[]): readonly Evidence[] {
  const isKnown = (item: Evidence) =>
    first.some(
      ({ source, base, quote }) => source === item.source && base === item.base && quote === item.quote,
    );
  return [...first, ...second.filter((item) => !isKnown(item))];
}

function quoteOf(fiat: string, { priceUnits, at, evidence }: Consensus): Result<Quote> {
  assert(priceUnits >= 0n, 'a price is not negative');
  if (priceUnits === 0n) {
    return refuse({ code: 'rate-unavailable', message: `the price in ${fiat} is too small to be exact` });
  }
  return accept({ rate: { fiat, priceUnits }, at, source: MARKET_SOURCE, evidence });
}
