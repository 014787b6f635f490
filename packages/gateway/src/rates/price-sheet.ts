// Collects the prices of one answer. A price that is nonsense is refused by name, and the others are kept.
import { parsePrice } from '@ducat/core/money/price-text';
import { ONE, type Reading } from '@ducat/core/money/reading';
import { Outage } from '../runtime/outage.ts';
import { nonsense, numberTextOf, printable, stringOf } from './answer-json.ts';
import type { SourceAnswer } from './source.ts';

/** A price and its time, taken from an answer. */
export interface PricePoint {
  readonly priceUnits: bigint;
  /** Unix seconds. */
  readonly at: number;
}

export interface PriceSheet {
  /**
   * Notes the price that `read` returns. Where `read` throws Outage, that price is refused with its reason and the others
   * stay.
   */
  note(base: string, quote: string, read: () => PricePoint): void;
  answer(): SourceAnswer;
}

/** Below this, a price would have fewer than ten digits. */
const LEAST = ONE / 10n ** 9n;
const MOST = ONE * 10n ** 12n;
const FIRST_TIME = 1_000_000_000;
const LAST_TIME = 9_999_999_999;

export function openSheet(source: string): PriceSheet {
  const readings = new Map<string, Reading>();
  const refused: string[] = [];
  return {
    note(base, quote, read) {
      try {
        const { priceUnits, at } = read();
        checkPoint(priceUnits, at);
        if (readings.has(`${base} ${quote}`)) throw nonsense('is reported twice');
        readings.set(`${base} ${quote}`, { source, base, quote, priceUnits, at });
      } catch (error) {
        if (!(error instanceof Outage)) throw error;
        refused.push(`${base} in ${quote}: ${error.message}`);
      }
    },
    answer: () => ({ readings: [...readings.values()], refused }),
  };
}

/** A price that the source writes as a text. */
export function priceFromText(value: unknown): bigint {
  return units(stringOf(value, 'the price'));
}

/** A price that the source writes as a JSON number. */
export function priceFromNumber(value: unknown): bigint {
  return units(numberTextOf(value, 'the price'));
}

/** Whole seconds or milliseconds of Unix time, as digits, in seconds. */
export function timeFromDigits(text: string, unit: 'seconds' | 'milliseconds'): number {
  if (!/^[0-9]{1,16}$/.test(text))
    throw nonsense(`the time ${JSON.stringify(printable(text))} is no Unix time`);
  return Math.floor(Number(text) / (unit === 'seconds' ? 1 : 1000));
}

const ISO_TIME = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z$/;
const ISO_DATE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{1,2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** "2026-11-20T09:00:00.123Z", "2026-11-20" (its midnight in UTC) or "Fri, 20 Nov 2026 09:00:00 GMT", in Unix seconds. */
export function timeFromDate(value: unknown): number {
  const text = stringOf(value, 'the time');
  const isKnown = text.length <= 40 && (ISO_TIME.test(text) || ISO_DATE.test(text) || HTTP_DATE.test(text));
  const ms = isKnown ? Date.parse(text.replace(/(\.[0-9]{3})[0-9]+Z$/, '$1Z')) : Number.NaN;
  if (Number.isNaN(ms)) throw nonsense(`the time ${JSON.stringify(printable(text))} is no date`);
  return Math.floor(ms / 1000);
}

function units(text: string): bigint {
  const priceUnits = parsePrice(text, 'down');
  if (priceUnits === null) throw nonsense(`the price ${JSON.stringify(printable(text))} is no price`);
  return priceUnits;
}

function checkPoint(priceUnits: bigint, at: number): void {
  if (priceUnits === 0n) throw nonsense('the price is zero');
  if (priceUnits < LEAST) throw nonsense('the price is too small to be exact');
  if (priceUnits > MOST) throw nonsense('the price is absurdly high');
  if (!Number.isSafeInteger(at) || at < FIRST_TIME || at > LAST_TIME) throw nonsense('the time is absurd');
}
