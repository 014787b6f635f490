// The European Central Bank's reference rates: once a working day, in euros, without TWD, RUB and VND.
import { parsePrice } from '@ducat/core/money/price-text';
import { dividePrices } from '@ducat/core/money/reading';
import { nonsense } from '../answer-json.ts';
import { textOf } from '../get.ts';
import { openSheet, timeFromDate } from '../price-sheet.ts';
import type { PriceSource } from '../source.ts';

/**
 * GET /stats/eurofxref/eurofxref-daily.xml. The file has one fixed form, so it is read as that form and not as general XML:
 * it cannot name an entity or a resource to load. The rates are set at about 14:15 in Frankfurt. Only the date is given, so
 * the beginning of that day counts as the time.
 */
export function createEcb(): PriceSource {
  return {
    name: 'ecb',
    kind: 'fiat',
    url: 'https://www.ecb.europa.eu',
    everyMs: 60 * 60_000,
    async fetch(get, symbols) {
      const { at, rates } = readFile(textOf(await get('/stats/eurofxref/eurofxref-daily.xml')));
      const dollars = unitsOfRate(rates.get('USD') ?? '');
      if (dollars === 0n) throw nonsense('has no usable rate of the dollar');
      const sheet = openSheet('ecb');
      for (const fiat of symbols) {
        const rate = fiat === 'EUR' ? '1' : rates.get(fiat);
        if (rate === undefined) continue;
        sheet.note('USD', fiat, () => ({ priceUnits: dividePrices(unitsOfRate(rate), dollars, 'down'), at }));
      }
      return sheet.answer();
    },
  };
}

const DAY = /<Cube\s+time=["']([^"'<>]{1,20})["']\s*>/g;
const RATE = /<Cube\s+currency=["']([A-Z]{3})["']\s+rate=["']([^"'<>]{1,80})["']\s*\/>/g;
const RATES = /<Cube\s+currency=/g;
const END = /<\/gesmes:Envelope>\s*$/;
/** The bank publishes about 30. */
const MAX_RATES = 100;

interface EcbFile {
  readonly at: number;
  /** Rates for one euro, as the file writes them. */
  readonly rates: ReadonlyMap<string, string>;
}

function readFile(text: string): EcbFile {
  if (!END.test(text)) throw nonsense('answered with something that is not the complete file of rates');
  const [day, ...others] = [...text.matchAll(DAY)];
  if (day === undefined || others.length > 0) throw nonsense('answered with rates of no day or of several');
  const found = [...text.matchAll(RATE)];
  if (found.length !== [...text.matchAll(RATES)].length) throw nonsense('writes rates in another form');
  const rates = new Map(found.map(([, currency = '', rate = '']) => [currency, rate]));
  if (rates.size !== found.length || found.length > MAX_RATES) throw nonsense('reports a currency twice');
  return { at: timeFromDate(day[1]), rates };
}

function unitsOfRate(rate: string): bigint {
  const units = parsePrice(rate, 'down');
  if (units === null) throw nonsense('the rate is no number');
  return units;
}
