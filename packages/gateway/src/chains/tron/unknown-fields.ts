// Fields that a message carries and its node has no name for: shown under their numbers, hashed with all the others.
import { LyingNode } from '../endpoint/lying-node.ts';
import { hexOf, isRecord, type Json } from './node-json.ts';
import {
  groupField,
  messageField,
  numberField,
  isIntegerKind,
  type FieldKind,
  type Shape,
} from './wire/protobuf.ts';

const number = /^[1-9]\d{0,8}$/;
/** As deep as java-tron's own reader goes. */
const deepest = 100;

/**
 * They come after all that have a name, in the order of their numbers. A payer can put them into a result, and the
 * chain keeps them. Throws LyingNode for those that the JSON does not show as they are, which are fixed numbers, and for
 * one of `shape` under its number: nodes tell such a field by its name, and without it, it would be hashed and not read.
 * Under the same number another wire type is another field, which has no name anywhere.
 */
export function unknownFields(json: Json, shape: Shape, depth = 0): string {
  if (depth > deepest) throw new LyingNode('answered with groups in groups without end');
  let bytes = '';
  // Keys that are whole numbers are listed in ascending order.
  for (const key of Object.keys(json)) {
    if (!number.test(key)) continue;
    const values = json[key];
    if (!Array.isArray(values)) throw new LyingNode('answered with an unknown field that is no list');
    const kind = shape[Number(key)];
    if (kind !== undefined && values.some((value) => isOfKind(value, kind)))
      throw new LyingNode('answered with a field under its number that has a name');
    bytes += values.map((value: unknown) => fieldOf(Number(key), value, depth)).join('');
  }
  return bytes;
}

function isOfKind(value: unknown, kind: FieldKind): boolean {
  return typeof value === (isIntegerKind(kind) ? 'bigint' : 'string');
}

/** Throws LyingNode where a message has a field under a name that is not known here, so that nobody can encode it. */
export function expectKnown(json: Json, known: ReadonlySet<string>, what: string): void {
  const unknown = Object.keys(json).find((name) => !known.has(name) && !number.test(name));
  if (unknown !== undefined) throw new LyingNode(`answered with ${what} with a field that is not known here`);
}

function fieldOf(id: number, value: unknown, depth: number): string {
  if (typeof value === 'bigint') return numberField(id, value);
  if (isRecord(value)) {
    expectKnown(value, new Set(), 'a group');
    return groupField(id, unknownFields(value, {}, depth + 1));
  }
  if (typeof value !== 'string') throw new LyingNode('answered with an unknown field that cannot be read');
  return messageField(id, hexOf(value, 'an unknown field'));
}
