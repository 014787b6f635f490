// JSON as java-tron writes and reads it: 64-bit integers are plain numbers, whatever their size.
import { isInteger, parse, stringify } from 'lossless-json';

/** bigint becomes a JSON number with all its digits, or text when `integersAsText` is asked for. */
export function writeJson(value: unknown, integersAsText = false): string {
  const text = integersAsText
    ? stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? item.toString() : item))
    : stringify(value);
  return text ?? 'null';
}

/** Integers become bigint, so that no digit is lost; other numbers stay numbers. Throws on text that is no JSON. */
export function readJson(text: string): unknown {
  return parse(text, undefined, (number) => (isInteger(number) ? BigInt(number) : Number(number)));
}
