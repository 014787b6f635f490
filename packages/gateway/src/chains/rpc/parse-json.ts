// JSON from nodes: measured before it is parsed, so that a body never becomes more than its bounds allow.
import type { Outage } from '../../runtime/outage.ts';
import { AnswerTooLarge } from './answer-too-large.ts';
import { invalidAnswer } from './invalid-answer.ts';
import { maxIntegerDigits, maxJsonDepth } from './limits.ts';

export interface JsonBounds {
  /** Brackets, braces, commas, colons and long integers outside of texts: what time and memory grow with. */
  readonly maxParts: number;
}

/** Every integer with fewer digits is exact as a JSON number. */
const exactDigits = 15;

const quote = 34;
const comma = 44;
const minus = 45;
const colon = 58;
const backslash = 92;

/**
 * The value, with none of the digits of an integer lost: those of more than 15 are bigint. Nodes of Tron write no other
 * numbers, so those are no answer; that leaves fractions free to stand for the integers that JSON.parse would round.
 * Throws AnswerTooLarge beyond the bounds, Outage 'invalid' where it is no JSON.
 */
export function parseIntegers(text: string, bounds: JsonBounds): unknown {
  const { long, hasOthers } = measure(text, bounds);
  if (hasOthers) throw malformed();
  if (long.length === 0) return parsed(text);
  const parts: string[] = [];
  const values: bigint[] = [];
  let at = 0;
  for (const { from, to } of long) {
    parts.push(text.slice(at, from), `${values.length}.5`);
    values.push(integerOf(text.slice(from, to)));
    at = to;
  }
  parts.push(text.slice(at));
  return withIntegers(parsed(parts.join('')), values);
}

interface Measured {
  /** Where the integers stand that a JSON number would round. */
  readonly long: readonly { readonly from: number; readonly to: number }[];
  /** Whether there are numbers that are no integers. */
  readonly hasOthers: boolean;
}

/** One pass over the text, without making anything of it. */
function measure(text: string, { maxParts }: JsonBounds): Measured {
  const long: { from: number; to: number }[] = [];
  let hasOthers = false;
  let parts = 0;
  let depth = 0;
  // Nodes hardly ever escape anything, and then a text ends at the next quote.
  const firstEscape = text.indexOf('\\');
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = text.indexOf('"', at + 1);
      const isPlain = end !== -1 && (firstEscape === -1 || end < firstEscape);
      at = isPlain ? end + 1 : endOfText(text, at);
      continue;
    }
    if (isDigit(code) || code === minus) {
      const to = endOfNumber(text, at);
      const digits = to - at;
      if (digits > maxIntegerDigits)
        throw new AnswerTooLarge(`answered with a number of more than ${maxIntegerDigits} digits`);
      if (hasFraction(text, at, to)) hasOthers = true;
      else if (digits > exactDigits) {
        long.push({ from: at, to });
        // Nothing but space has to stand between them.
        parts++;
        if (parts > maxParts) throw tooManyParts(maxParts);
      }
      at = to;
      continue;
    }
    at++;
    const opens = code === 91 || code === 123;
    if (opens) depth++;
    else if (code === 93 || code === 125) depth--;
    else if (code !== comma && code !== colon) continue;
    parts++;
    if (parts > maxParts) throw tooManyParts(maxParts);
    if (depth > maxJsonDepth)
      throw new AnswerTooLarge(`answered with JSON that is more than ${maxJsonDepth} deep`);
  }
  return { long, hasOthers };
}

function tooManyParts(maxParts: number): AnswerTooLarge {
  return new AnswerTooLarge(`answered with more than ${maxParts} parts`);
}

/** After the quote that ends the text which begins here. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === backslash) at++;
  }
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  const last = Math.min(text.length, from + maxIntegerDigits + 1);
  while (at < last && isPartOfNumber(text.charCodeAt(at))) at++;
  return at;
}

/** Digits, signs, the point and the exponent. */
function isPartOfNumber(code: number): boolean {
  return isDigit(code) || code === minus || code === 43 || isFraction(code);
}

function hasFraction(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (isFraction(text.charCodeAt(at))) return true;
  return false;
}

function isFraction(code: number): boolean {
  return code === 46 || code === 69 || code === 101;
}

/** Throws Outage where JSON would not read it either. */
function integerOf(text: string): bigint {
  if (!/^-?[1-9]\d*$/.test(text)) throw malformed();
  return BigInt(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed();
  }
}

/** Changes numbers where they stand; `n.5` stands for the nth of the values. */
function withIntegers(value: unknown, values: readonly bigint[]): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : (values[value - 0.5] ?? 0n);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (typeof item === 'number' || typeof item === 'object') value[index] = withIntegers(item, values);
    }
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const item = value[name];
      if (typeof item === 'number' || typeof item === 'object') value[name] = withIntegers(item, values);
    }
  }
  return value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function malformed(): Outage {
  return invalidAnswer('answered with malformed or truncated JSON');
}
