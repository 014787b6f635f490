// java-tron's JSON as it is: a field with its default value is absent, bytes are hex, integers are numbers.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';

// A word of 256 bits has 78 digits. For longer integers, parsing time grows faster than length.
const integer = /^-?(?:0|[1-9]\d{0,77})$/;
const absent = -1;
const hex = /^[0-9a-fA-F]*$/;

/**
 * A value where it lies in its answer, or an absent one. Methods that take a name throw Outage 'invalid' for a value of
 * another kind.
 */
export class Json {
  readonly #tape: JsonTape;
  readonly #place: Place;

  constructor(tape: JsonTape, place: Place = 0) {
    this.#tape = tape;
    this.#place = place;
  }

  /** The field of that name; absent where there is none, or where this is no object. */
  get(name: string): Json {
    return new Json(this.#tape, this.isAbsent ? absent : this.#tape.field(this.#place, name));
  }

  has(name: string): boolean {
    return !this.get(name).isAbsent;
  }

  get isAbsent(): boolean {
    return this.#place === absent;
  }

  get isList(): boolean {
    return !this.isAbsent && this.#tape.isList(this.#place);
  }

  get isObject(): boolean {
    return !this.isAbsent && this.#tape.isObject(this.#place);
  }

  /** Whether this is an object with no field but these, or absent. */
  hasOnly(names: readonly string[]): boolean {
    return this.isAbsent || this.#tape.hasOnly(this.#place, names);
  }

  /** The text; null where this is none. */
  get text(): string | null {
    return !this.isAbsent && this.#tape.isText(this.#place) ? this.#tape.text(this.#place) : null;
  }

  /** Whether this is that word, without quotes. */
  is(word: 'true' | 'false'): boolean {
    return !this.isAbsent && !this.#tape.isText(this.#place) && this.#tape.text(this.#place) === word;
  }

  /** The integer with all its digits; null where this is none. */
  get integer(): bigint | null {
    if (this.isAbsent || this.#tape.isText(this.#place)) return null;
    const digits = this.#tape.text(this.#place);
    return integer.test(digits) ? BigInt(digits) : null;
  }

  /** An object; absent means empty. */
  asRecord(what: string): Json {
    if (this.isAbsent || this.isObject) return this;
    throw invalidAnswer(`answered with ${what} that is no object`);
  }

  /** The items of a list; absent means empty. */
  asList(what: string): readonly Json[] {
    if (this.isAbsent) return [];
    if (!this.isList) throw invalidAnswer(`answered with ${what} that are no list`);
    return (this.#tape.items(this.#place) ?? []).map((item) => new Json(this.#tape, item));
  }

  /** The items of a list of objects; absent means empty. */
  asRecords(what: string): readonly Json[] {
    const items = this.isAbsent || this.isList ? this.asList(what) : null;
    if (items?.every((item) => item.isObject) === true) return items;
    throw invalidAnswer(`answered with ${what} that is no list of objects`);
  }

  /** The integer; absent means 0. */
  asInteger(what: string): bigint {
    const value = this.isAbsent ? 0n : this.integer;
    if (value === null) throw invalidAnswer(`answered with ${what} that is no integer`);
    return value;
  }

  /** Lower-case hex of whole bytes, of any number or of exactly so many; absent means no bytes. */
  asHex(what: string, bytes?: number): string {
    const text = this.isAbsent ? '' : this.text;
    const isAsLong =
      text !== null && (bytes === undefined ? text.length % 2 === 0 : text.length === bytes * 2);
    if (isAsLong && hex.test(text)) return text.toLowerCase();
    throw invalidAnswer(`answered with ${what} that is not ${bytes ?? 'a number of'} bytes as hex`);
  }
}
