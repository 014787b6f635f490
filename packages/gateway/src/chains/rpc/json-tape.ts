// JSON as it lies in its bytes: where each value begins and ends. Strings are made only where they are wanted.
import { AnswerTooLarge } from './answer-too-large.ts';
import { invalidAnswer } from './invalid-answer.ts';
import { maxJsonDepth } from './limits.ts';

const quote = 34;
const comma = 44;
const colon = 58;
const openList = 91;
const backslash = 92;
const closeList = 93;
const letterN = 110;
const openObject = 123;
const closeObject = 125;
const space = 32;
const digit0 = 48;
const digit9 = 57;
const marksOfNumbers = Buffer.from('+-.eE');
const words = ['true', 'false', 'null'] as const;

/** A value's place on the tape. The root is at 0, the name of a field is right before its value, and -1 means no value. */
export type Place = number;

/**
 * Blocks hold thousands of texts, of which few are kept, so making strings of all costs more than all the hashing.
 * JSON.parse takes 9 microseconds for a transaction with its receipt, and half as much again for garbage collection. The
 * tape takes 4.
 */
export class JsonTape {
  readonly bytes: Buffer;
  /**
   * Two numbers for each value: where it begins in the bytes, and where it ends. A container ends at the place behind it.
   */
  readonly #tape: Int32Array;

  /** Throws Outage 'invalid' where brackets and commas do not fit, AnswerTooLarge for more than `maxValues` values. */
  constructor(bytes: Buffer, maxValues: number) {
    this.bytes = bytes;
    this.#tape = scan(bytes, maxValues);
  }

  isList(place: Place): boolean {
    return this.#kind(place) === openList;
  }

  isObject(place: Place): boolean {
    return this.#kind(place) === openObject;
  }

  isText(place: Place): boolean {
    return this.#kind(place) === quote;
  }

  isNull(place: Place): boolean {
    return this.#kind(place) === letterN;
  }

  /** The place behind this value and everything in it. */
  next(place: Place): Place {
    return this.isList(place) || this.isObject(place) ? this.to(place) : place + 1;
  }

  /** Where a value begins in the bytes; for a text, behind its quote. */
  from(place: Place): number {
    return (this.#tape[place * 2] ?? 0) + (this.isText(place) ? 1 : 0);
  }

  /** Where a text or number ends. */
  to(place: Place): number {
    return this.#tape[place * 2 + 1] ?? 0;
  }

  /** A text or number as it is written. Escapes are not undone, because no text that matters has any. */
  text(place: Place): string {
    return this.bytes.toString('latin1', this.from(place), this.to(place));
  }

  /** The value of that name in an object; -1 where the object lacks it, or where the value is no object. */
  field(object: Place, name: string): Place {
    if (!this.isObject(object)) return -1;
    // Called a dozen times for each transaction, so it walks the tape itself.
    const { bytes } = this;
    const tape = this.#tape;
    const end = tape[object * 2 + 1] ?? 0;
    const first = name.charCodeAt(0);
    for (let key = object + 1; key < end; ) {
      const from = (tape[key * 2] ?? 0) + 1;
      const isLike = (tape[key * 2 + 1] ?? 0) - from === name.length && bytes[from] === first;
      if (isLike && isAt(bytes, from, name)) return key + 1;
      const kind = bytes[tape[key * 2 + 2] ?? 0];
      key = kind === openList || kind === openObject ? (tape[key * 2 + 3] ?? end) : key + 2;
    }
    return -1;
  }

  /** Whether an object has no names but these. */
  hasOnly(object: Place, names: readonly string[]): boolean {
    const isKnown = (key: Place): boolean =>
      names.some(
        (name) => this.to(key) - this.from(key) === name.length && isAt(this.bytes, this.from(key), name),
      );
    return (this.items(object) ?? []).every(isKnown);
  }

  /** The places of the items of a list, or of the names in an object; null for anything else. */
  items(container: Place): readonly Place[] | null {
    const isObject = this.isObject(container);
    if (!isObject && !this.isList(container)) return null;
    const items: Place[] = [];
    const end = this.to(container);
    for (let item = container + 1; item < end; item = this.next(isObject ? item + 1 : item)) items.push(item);
    return items;
  }

  #kind(place: Place): number {
    return this.bytes[this.#tape[place * 2] ?? -1] ?? 0;
  }
}

function isAt(bytes: Buffer, from: number, name: string): boolean {
  for (let index = 0; index < name.length; index++)
    if (bytes[from + index] !== name.charCodeAt(index)) return false;
  return true;
}

/** The token that has to come next. */
const aValue = 0;
const aName = 1;
const aColon = 2;
const aComma = 3;

function scan(bytes: Buffer, maxValues: number): Int32Array {
  const { length } = bytes;
  let tape = new Int32Array(Math.max(64, (length >> 4) * 2));
  const open = new Int32Array(maxJsonDepth);
  let depth = 0;
  let size = 0;
  let next = aValue;
  for (let at = 0; at < length; ) {
    const byte = bytes[at] ?? 0;
    if (byte === colon || byte === comma) {
      if (next !== (byte === colon ? aColon : aComma) || depth === 0) throw malformed();
      const isName = byte === comma && bytes[tape[open[depth - 1] ?? 0] ?? 0] === openObject;
      next = isName ? aName : aValue;
      at++;
    } else if (byte <= space) {
      at++;
    } else if (byte === closeList || byte === closeObject) {
      const container = depth === 0 ? -1 : (open[--depth] ?? 0);
      // The closing bracket is two behind the opening one in ASCII.
      const isFitting = container !== -1 && byte === (bytes[tape[container] ?? 0] ?? 0) + 2;
      if (!isFitting || (next !== aComma && container !== size - 2)) throw malformed();
      tape[container + 1] = size / 2;
      next = aComma;
      at++;
    } else {
      if (next === aComma || next === aColon || (next === aName && byte !== quote)) throw malformed();
      if (size === tape.length) tape = grown(tape, maxValues);
      tape[size] = at;
      if (byte === openList || byte === openObject) {
        if (depth === maxJsonDepth) throw new AnswerTooLarge(`answered with JSON more than ${depth} deep`);
        open[depth++] = size;
        next = byte === openObject ? aName : aValue;
        at++;
      } else {
        at = byte === quote ? endOfText(bytes, at + 1) : endOfScalar(bytes, at);
        tape[size + 1] = at;
        if (byte === quote) at++;
        next = next === aName ? aColon : aComma;
      }
      size += 2;
    }
  }
  if (depth > 0 || next !== aComma) throw malformed();
  return tape;
}

function grown(tape: Int32Array<ArrayBuffer>, maxValues: number): Int32Array<ArrayBuffer> {
  if (tape.length >= maxValues * 2) throw new AnswerTooLarge(`answered with more than ${maxValues} values`);
  const larger = new Int32Array(tape.length * 2);
  larger.set(tape);
  return larger;
}

/** The position of the quote that ends the text. */
function endOfText(bytes: Buffer, from: number): number {
  const { length } = bytes;
  let at = from;
  while (at < length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  if (at >= length) throw malformed();
  return at;
}

/** The reader of a value decides whether the digits make a number. Behind them has to come a comma or a bracket. */
function endOfScalar(bytes: Buffer, from: number): number {
  let at = from;
  while (isOfNumber(bytes[at] ?? 0)) at++;
  if (at > from) return at;
  const word = words.find((one) => isAt(bytes, from, one));
  if (word === undefined) throw malformed();
  return from + word.length;
}

function isOfNumber(byte: number): boolean {
  return (byte >= digit0 && byte <= digit9) || marksOfNumbers.includes(byte);
}

function malformed(): Error {
  return invalidAnswer('answered with malformed or truncated JSON');
}
