// The rate that an order was priced with, as the terminal and scripts see it: sources, prices, times, and what counted.
import { evidenceMedians } from '@ducat/core/money/evidence-medians';
import { formatDecimal } from '@ducat/core/money/decimal';
import type { Quote } from '@ducat/core/money/rate';
import { RATE_DECIMALS, type Verdict } from '@ducat/core/money/reading';
import { FIXED_SOURCE } from '@ducat/gateway/rates/fixed';
import { localTime } from './show-order.ts';
import { columns, harmless, type Palette } from './terminal.ts';

const verdicts: Readonly<Record<Verdict, string>> = {
  used: 'used',
  far: 'outvoted, far off',
  old: 'left out, too old',
  ahead: 'left out, ahead',
};

/** Several lines of at most 80 columns; `symbol` is what was priced. */
export function rateText({ rate, at, source, evidence }: Quote, symbol: string, palette: Palette): string {
  const { bold, dim, red } = palette;
  const head = `${bold('Rate')} 1 ${symbol} = ${priceText(rate.priceUnits)} ${rate.fiat}`;
  if (source === FIXED_SOURCE) {
    return `${head}\n  ${red('Made up for the demo: no source was asked. Do not charge anybody by it.')}`;
  }
  const groups = evidenceMedians(evidence).flatMap(({ base, quote, priceUnits, readings }) => [
    '',
    `  ${base} in ${quote}: ${priceText(priceUnits)}`,
    ...columns(
      readings.map((reading) => [
        harmless(reading.source),
        `${priceText(reading.priceUnits)} ${reading.quote}`,
        localTime(reading.at),
        verdicts[reading.verdict],
      ]),
      '    ',
    ),
  ]);
  const how =
    evidence.length === 0 ? 'by its name' : `${source}; the oldest price in it is of ${localTime(at)}`;
  return [head, `  ${dim(how)}`, ...groups].join('\n');
}

/** The same with exact numbers as text and times in Unix seconds. */
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
