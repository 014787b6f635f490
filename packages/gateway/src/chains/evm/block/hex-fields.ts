// Fields of an EVM node's JSON, which are all hex. A field is checked when it is taken, and only then.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { JsonTape, Place } from '../../rpc/json-tape.ts';
import type { RlpWriter } from './rlp-writer.ts';

const hexText = /^0x[0-9a-f]*$/;
/** `0x` and 256 bits. */
const longestNumber = 66;

/** The field. Throws Outage 'invalid' where it is missing. */
export function fieldOf(tape: JsonTape, object: Place, name: string): Place {
  const place = tape.field(object, name);
  if (place === -1) throw invalidAnswer(`answered with something that has no ${name}`);
  return place;
}

/** The items of a list. */
export function listOf(tape: JsonTape, place: Place): readonly Place[] {
  const items = tape.isList(place) ? tape.items(place) : null;
  if (items === null) throw invalidAnswer('answered with something else where a list has to be');
  return items;
}

/** Whether a field is missing or null. */
export function isAbsent(tape: JsonTape, object: Place, name: string): boolean {
  const place = tape.field(object, name);
  return place === -1 || tape.isNull(place);
}

/** Writes a field as RLP. */
export type Write = (rlp: RlpWriter, tape: JsonTape, object: Place, name: string) => void;

/** Writes the bytes that the field's digits are; returns how many. */
export function writeData(rlp: RlpWriter, tape: JsonTape, object: Place, name: string): number {
  return writeText(rlp, tape, fieldOf(tape, object, name));
}

/** The same for a text that is not a field. */
export function writeText(rlp: RlpWriter, tape: JsonTape, place: Place): number {
  return rlp.hexString(tape.bytes, digitsFrom(tape, place), tape.to(place));
}

/** Writes the number that the digits are. Some nodes pad the halves of signatures, so leading zeros are allowed. */
export function writeQuantity(rlp: RlpWriter, tape: JsonTape, object: Place, name: string): void {
  const place = fieldOf(tape, object, name);
  const from = digitsFrom(tape, place);
  if (from === tape.to(place)) throw invalidAnswer(`answered with a ${name} without digits`);
  rlp.hexInteger(tape.bytes, from, tape.to(place));
}

/** A text of `0x` and hex digits, in lower case. */
export function hexOf(tape: JsonTape, place: Place): string {
  const text = tape.isText(place) ? tape.text(place).toLowerCase() : '';
  if (!hexText.test(text)) throw noHex();
  return text;
}

/** A field of so many bytes, as `0x` text in lower case. */
export function dataOf(tape: JsonTape, object: Place, name: string, bytes: number): string {
  const text = hexOf(tape, fieldOf(tape, object, name));
  if (text.length !== 2 + bytes * 2) throw invalidAnswer(`answered with a ${name} of another length`);
  return text;
}

/** A field's number, of up to 256 bits. */
export function integerOf(tape: JsonTape, object: Place, name: string): bigint {
  const text = hexOf(tape, fieldOf(tape, object, name));
  if (text.length < 3 || text.length > longestNumber)
    throw invalidAnswer(`answered with a ${name} that is no number`);
  return BigInt(text);
}

/** The same, where it is exact as a JavaScript number. */
export function numberOf(tape: JsonTape, object: Place, name: string): number {
  const number = Number(integerOf(tape, object, name));
  if (!Number.isSafeInteger(number)) throw invalidAnswer(`answered with a ${name} that cannot be counted`);
  return number;
}

function digitsFrom(tape: JsonTape, place: Place): number {
  const from = tape.from(place) + 2;
  const isHex = tape.isText(place) && tape.bytes[from - 2] === 48 && tape.bytes[from - 1] === 120;
  if (!isHex || tape.to(place) < from) throw noHex();
  return from;
}

function noHex(): Error {
  return invalidAnswer('answered with something else where hex has to be');
}
