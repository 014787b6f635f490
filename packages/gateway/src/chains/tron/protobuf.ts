// The little of protobuf that proves a block: messages read as java-tron's library reads them, and written as it does.

/** One field: a number, or bytes as hex. */
export interface Field {
  readonly id: number;
  readonly value: bigint | string;
}

/** What a field of a message is; `messages` may stand any number of times, the others once. */
export type FieldKind = 'int32' | 'int64' | 'bytes' | 'message' | 'messages';

/** The fields of a message by number. */
export type Shape = Readonly<Record<number, FieldKind>>;

const varint = 0;
const lengthDelimited = 2;
const startGroup = 3;
const endGroup = 4;
const maxVarintBytes = 10;
const largestTag = 2n ** 32n - 1n;
/** Far more than any message that is read here has; whoever sends more cannot make us count them. */
const maxFields = 64;

/** An integer field as hex; nothing where it is 0. Negative ones take ten bytes, as int32 and int64 do. */
export function integerField(id: number, value: bigint): string {
  return value === 0n ? '' : numberField(id, value);
}

/** An integer field that is written even where it is 0, as in the entries of a map. */
export function numberField(id: number, value: bigint): string {
  return tagHex(id, varint) + varintHex(BigInt.asUintN(64, value));
}

/** A field of bytes, which are given as hex; nothing where they are empty. */
export function bytesField(id: number, hex: string): string {
  return hex === '' ? '' : messageField(id, hex);
}

/** A field with a message, which is written even where the message is empty. */
export function messageField(id: number, hex: string): string {
  return tagHex(id, lengthDelimited) + varintHex(BigInt(hex.length / 2)) + hex;
}

/** A group, which no message of the chain has and any message may carry as an unknown field. */
export function groupField(id: number, hex: string): string {
  return tagHex(id, startGroup) + hex + tagHex(id, endGroup);
}

/**
 * The fields of a message, or null where its bytes could be read in another way: a field twice, under another wire
 * type or that the message does not have, a tag beyond 32 bits, a number in more bytes than it takes. Such bytes can
 * mean one thing to java-tron and another to us, so they mean nothing here. In which order fields stand, and whether
 * a default is written, changes nothing for anybody, and wallets differ in it.
 */
export function unambiguousFields(hex: string, shape: Shape): readonly Field[] | null {
  const bytes = Buffer.from(hex, 'hex');
  const fields: Field[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < bytes.length; ) {
    if (fields.length === maxFields) return null;
    const tag = varintAt(bytes, at);
    if (tag === null || tag.value > largestTag) return null;
    const id = Number(tag.value >> 3n);
    const kind = shape[id];
    if (kind === undefined || (kind !== 'messages' && seen.has(id))) return null;
    const read = fieldAt(bytes, tag.end, kind, Number(tag.value & 7n));
    if (read === null) return null;
    seen.add(id);
    fields.push({ id, value: read.value });
    at = read.end;
  }
  return fields;
}

/** Whether fields of that kind are numbers; the others are bytes. */
export function isInteger(kind: FieldKind): boolean {
  return kind === 'int32' || kind === 'int64';
}

/** The last integer under that id; 0 where there is none. */
export function integerIn(fields: readonly Field[], id: number): bigint {
  const value = fields.findLast((field) => field.id === id)?.value;
  return typeof value === 'bigint' ? value : 0n;
}

/** The last bytes under that id as hex; empty where there are none. */
export function bytesIn(fields: readonly Field[], id: number): string {
  const value = fields.findLast((field) => field.id === id && isBytes(field))?.value;
  return typeof value === 'string' ? value : '';
}

/** All bytes under that id, in their order. */
export function listIn(fields: readonly Field[], id: number): readonly string[] {
  const list: string[] = [];
  for (const field of fields) if (field.id === id && isBytes(field)) list.push(field.value);
  return list;
}

function isBytes(field: Field): field is Field & { readonly value: string } {
  return typeof field.value === 'string';
}

function fieldAt(
  bytes: Buffer,
  start: number,
  kind: FieldKind,
  type: number,
): { readonly value: bigint | string; readonly end: number } | null {
  const number = varintAt(bytes, start);
  if (number === null || type !== (isInteger(kind) ? varint : lengthDelimited)) return null;
  if (type === varint) {
    const value = BigInt.asIntN(64, number.value);
    return kind === 'int32' && value !== BigInt.asIntN(32, value) ? null : { value, end: number.end };
  }
  if (number.value > BigInt(bytes.length - number.end)) return null;
  const end = number.end + Number(number.value);
  return { value: bytes.toString('hex', number.end, end), end };
}

/** Null for one that is written in more bytes than it takes, or of more than 64 bits. */
function varintAt(bytes: Buffer, start: number): { readonly value: bigint; readonly end: number } | null {
  // Most of them are one byte, which needs no counting.
  const only = bytes[start];
  if (only !== undefined && only < 0x80) return { value: BigInt(only), end: start + 1 };
  let value = 0n;
  for (let place = 0; place < maxVarintBytes; place++) {
    const byte = bytes[start + place];
    if (byte === undefined) return null;
    value |= BigInt(byte & 0x7f) << BigInt(7 * place);
    if (byte >= 0x80) continue;
    const isShortest = byte !== 0 || place === 0;
    return isShortest && value === BigInt.asUintN(64, value) ? { value, end: start + place + 1 } : null;
  }
  return null;
}

function tagHex(id: number, type: number): string {
  return varintHex((BigInt(id) << 3n) | BigInt(type));
}

function varintHex(value: bigint): string {
  let rest = value;
  let hex = '';
  while (rest >= 0x80n) {
    hex += (Number(rest & 0x7fn) | 0x80).toString(16).padStart(2, '0');
    rest >>= 7n;
  }
  return hex + Number(rest).toString(16).padStart(2, '0');
}
