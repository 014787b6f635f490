// The rate that priced an order, for the terminal and for scripts: sources, prices, times, and which readings counted.
import { evidenceMedians } from '@ducat/core/money/evidence-medians';
import { formatDecimal } from '@ducat/core/money/decimal';
import type { Quote } from '@ducat/core/money/rate';
import { type Evidence, RATE_DECIMALS, type Verdict } from '@ducat/core/money/reading';
import { FIXED_SOURCE } from '@ducat/gateway/rates/fixed';
import { localTime } from './show-order.ts';
import { columns, harmless, type Palette } from '../terminal.ts';

const verdicts: Readonly<Record<Verdict, string>> = {
  used: 'used',
  far: 'outvoted, far off',
  old: 'left out, too old',
  ahead: 'left out, ahead',
};

/** Several lines of at most 80 columns. `symbol` is the currency that was priced. */
export function rateText({ rate, at, source, evidence }: Quote, symbol: string, palette: Palette): string {
  const { bold, dim } = palette;
  const head = `${bold('Rate')} 1 ${symbol} = ${priceText(rate.priceUnits)} ${rate.fiat}`;
  if (source === FIXED_SOURCE) {
    return `${head}\n  ${madeUpText(palette)}`;
  }
  const groups = evidenceMedians(evidence).flatMap(({ base, quote, priceUnits, readings }) => [
    '',
    `  ${base} in ${quote}: ${priceText(priceUnits)}`,
    ...readingLines(readings),
  ]);
  const how =
    evidence.length === 0 ? 'by its name' : `${source}; the oldest price in it is of ${localTime(at)}`;
  return [head, `  ${dim(how)}`, ...groups].join('\n');
}

/** The remark for a price that came from no source. */
export function madeUpText({ red }: Palette): string {
  return red('Made up for the demo: no source was asked. Do not charge anybody by it.');
}

/** The remark for an order whose rate was altered in the database. */
export function damagedRateText({ red }: Palette): string {
  return red('The rate in its row cannot be read: it was changed in the database.');
}

const WIDTH = 80;

/** One line per source. Where a line is too wide, all prices are cut to fewer digits. */
function readingLines(readings: readonly Evidence[]): readonly string[] {
  const lines = (priceOf: (units: bigint) => string) =>
    columns(
      readings.map((reading) => [
        harmless(reading.source),
        `${priceOf(reading.priceUnits)} ${reading.quote}`,
        localTime(reading.at),
        verdicts[reading.verdict],
      ]),
      '    ',
    );
  const exact = lines(priceText);
  return exact.every((line) => line.length <= WIDTH) ? exact : lines(shortText);
}

function shortText(units: bigint): string {
  const exact = priceText(units);
  const short = /^\d+(?:\.\d{1,8})?/.exec(exact)?.[0] ?? exact;
  const isZero = units !== 0n && /^[0.]*$/.test(short);
  return short.length === exact.length || isZero ? exact : `${short}…`;
}

/** The rate with exact numbers as text, and times in Unix seconds. */
export function rateJson({ rate, at, source, evidence }: Quote): object {
  return {
    fiat_name: rate.fiat,
    price: priceText(rate.priceUnits),
    time: at,
    source,
    demo: source === FIXED_SOURCE,
    medians: evidenceMedians(evidence).map(({ base, quote, priceUnits }) => ({
      base,
      quote,
      price: priceText(priceUnits),
    })),
    evidence: evidence.map(({ priceUnits, at: time, ...item }) => ({
      ...item,
      price: priceText(priceUnits),
      time,
    })),
  };
}

function priceText(units: bigint): string {
  return formatDecimal(units, RATE_DECIMALS);
}
