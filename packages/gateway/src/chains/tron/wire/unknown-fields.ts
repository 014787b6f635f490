// Fields that a message carries and its node has no name for: shown under their numbers, hashed with all the others.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import { hexOf, isInteger, isRecord, type Json } from './json.ts';
import {
  type FieldKind,
  groupField,
  isIntegerKind,
  messageField,
  numberField,
  type Shape,
} from './protobuf.ts';

const number = /^[1-9]\d{0,8}$/;
/** As deep as java-tron's own reader goes. */
const deepest = 100;

/**
 * They come after all that have a name, in the order of their numbers. A payer can put them into a result, and the
 * chain keeps them. Throws Outage 'invalid' for those that the JSON does not show as they are, which are fixed numbers,
 * and for one of `shape` under its number: nodes name such a field, and without its name it would be hashed and not
 * read. Under the same number another wire type is another field, which has no name anywhere.
 */
export function unknownFields(json: Json, shape: Shape, depth = 0): string {
  if (depth > deepest) throw invalidAnswer('answered with groups in groups without end');
  let bytes = '';
  // Keys that are whole numbers are listed in ascending order.
  for (const key of Object.keys(json)) {
    if (!number.test(key)) continue;
    const values = json[key];
    if (!Array.isArray(values)) throw invalidAnswer('answered with an unknown field that is no list');
    const kind = shape[Number(key)];
    if (kind !== undefined && values.some((value) => isOfKind(value, kind)))
      throw invalidAnswer('answered with a field under its number that has a name');
    bytes += values.map((value: unknown) => fieldOf(Number(key), value, depth)).join('');
  }
  return bytes;
}

function isOfKind(value: unknown, kind: FieldKind): boolean {
  return isIntegerKind(kind) ? isInteger(value) : typeof value === 'string';
}

/** Throws Outage 'invalid' where a message has a field under a name that is not known here, so that nobody can encode it. */
export function expectKnown(json: Json, known: ReadonlySet<string>, what: string): void {
  const unknown = Object.keys(json).find((name) => !known.has(name) && !number.test(name));
  if (unknown !== undefined) throw invalidAnswer(`answered with ${what} with a field that is not known here`);
}

function fieldOf(id: number, value: unknown, depth: number): string {
  if (isInteger(value)) return numberField(id, BigInt(value));
  if (isRecord(value)) {
    expectKnown(value, new Set(), 'a group');
    return groupField(id, unknownFields(value, {}, depth + 1));
  }
  if (typeof value !== 'string') throw invalidAnswer('answered with an unknown field that cannot be read');
  return messageField(id, hexOf(value, 'an unknown field'));
}
