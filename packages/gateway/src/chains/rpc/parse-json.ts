// JSON with every integer whole, measured before it is parsed, so that a body never becomes more than its bounds allow.
import type { Outage } from '../../runtime/outage.ts';
import { AnswerTooLarge } from './answer-too-large.ts';
import { invalidAnswer } from './invalid-answer.ts';
import { maxIntegerDigits, maxJsonDepth } from './limits.ts';

export interface JsonBounds {
  /** Brackets, braces, commas, colons and long integers outside of texts: what time and memory grow with. */
  readonly maxParts: number;
}

/** Where the digits of an integer stand in a text. */
interface Digits {
  readonly from: number;
  readonly to: number;
}

/** Every integer with fewer digits is exact as a JSON number. */
const exactDigits = 15;
const integer = new RegExp(`-?\\d{1,${maxIntegerDigits}}(?![\\d.eE+-])`, 'y');

const quote = 34;
const comma = 44;
const minus = 45;
const digit0 = 48;
const colon = 58;
const openList = 91;
const backslash = 92;
const closeList = 93;
const openObject = 123;
const closeObject = 125;

/**
 * The value, with none of the digits of an integer lost: those of more than 15 are bigint. Nodes of Tron write no other
 * numbers, so those are no answer; that leaves fractions free to stand for the integers that JSON.parse would round.
 * Throws AnswerTooLarge beyond the bounds, Outage 'invalid' where it is no JSON.
 */
export function parseIntegers(text: string, bounds: JsonBounds): unknown {
  const parts: string[] = [];
  const values: bigint[] = [];
  let at = 0;
  for (const { from, to } of longIntegers(text, bounds)) {
    parts.push(text.slice(at, from), `${values.length}.5`);
    values.push(integerOf(text.slice(from, to)));
    at = to;
  }
  return at === 0 ? parsed(text) : withIntegers(parsed(parts.join('') + text.slice(at)), values);
}

/** Where the integers stand that a JSON number would round: one pass over the text, without making anything of it. */
function longIntegers(text: string, { maxParts }: JsonBounds): readonly Digits[] {
  const long: Digits[] = [];
  // Nodes hardly ever escape anything, and then a text ends at the next quote.
  const firstEscape = text.indexOf('\\');
  let parts = 0;
  let depth = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      const end = text.indexOf('"', at + 1);
      const isPlain = end !== -1 && (firstEscape === -1 || end < firstEscape);
      at = isPlain ? end + 1 : endOfText(text, at);
      continue;
    }
    let isPart = code === comma || code === colon;
    if (code === minus || (code >= digit0 && code < colon)) {
      const to = endOfInteger(text, at);
      isPart = to - at > exactDigits;
      if (isPart) long.push({ from: at, to });
      at = to;
    } else {
      const opens = code === openList || code === openObject;
      const closes = code === closeList || code === closeObject;
      isPart ||= opens || closes;
      depth += opens ? 1 : closes ? -1 : 0;
      at++;
    }
    if (isPart) parts++;
    if (parts > maxParts) throw new AnswerTooLarge(`answered with more than ${maxParts} parts`);
    if (depth > maxJsonDepth) throw new AnswerTooLarge(`answered with JSON more than ${maxJsonDepth} deep`);
  }
  return long;
}

/** Behind the quote that ends the text which begins here. */
function endOfText(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at + 1;
}

function endOfInteger(text: string, from: number): number {
  integer.lastIndex = from;
  if (!integer.test(text)) throw malformed();
  return integer.lastIndex;
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
