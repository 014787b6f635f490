// The little of protobuf that proves a block: messages read as java-tron's library reads them, and written as it does.

/** One field: a number, or bytes as hex. */
export interface Field {
  readonly id: number;
  readonly value: bigint | string;
}

/** What a field of a message is; `messages` may stand any number of times, the others once. */
type FieldKind = 'int32' | 'int64' | 'bytes' | 'message' | 'messages';

/** The fields of a message by number, lowest first. */
export type Shape = Readonly<Record<number, FieldKind>>;

const varint = 0;
const lengthDelimited = 2;
const startGroup = 3;
const endGroup = 4;
const maxVarintBytes = 10;
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
 * The fields of a message, or null where writing them again does not give the same bytes: an order, a length or a tag
 * that is written otherwise, a field twice, a default, a field that the message does not have. Such bytes can mean
 * one thing to java-tron and another to us, so they mean nothing here.
 */
export function canonicalFields(hex: string, shape: Shape): readonly Field[] | null {
  const fields = fieldsOf(hex);
  if (fields === null) return null;
  // Keys that are whole numbers are listed in ascending order.
  const written = Object.entries(shape).map(([id, kind]) => encoded(fields, Number(id), kind));
  return written.join('') === hex ? fields : null;
}

/** The last integer under that id; 0 where there is none. */
export function integerIn(fields: readonly Field[], id: number): bigint {
  const value = fields.findLast((field) => field.id === id)?.value;
  return typeof value === 'bigint' ? value : 0n;
}

/** The last bytes under that id as hex; empty where there are none. */
export function bytesIn(fields: readonly Field[], id: number): string {
  return listIn(fields, id).at(-1) ?? '';
}

/** All bytes under that id, in their order. */
export function listIn(fields: readonly Field[], id: number): readonly string[] {
  return fields.flatMap((field) => (field.id === id && isBytes(field) ? [field.value] : []));
}

function isBytes(field: Field): field is Field & { readonly value: string } {
  return typeof field.value === 'string';
}

function encoded(fields: readonly Field[], id: number, kind: FieldKind): string {
  const texts = listIn(fields, id);
  switch (kind) {
    case 'int32':
      return integerField(id, BigInt.asIntN(32, integerIn(fields, id)));
    case 'int64':
      return integerField(id, integerIn(fields, id));
    case 'bytes':
      return bytesField(id, texts.at(-1) ?? '');
    case 'message':
      return texts.length === 0 ? '' : messageField(id, texts.at(-1) ?? '');
    case 'messages':
      return texts.map((text) => messageField(id, text)).join('');
  }
}

/**
 * The fields in their order; null for bytes that are no message, and for kinds of fields that no message here has
 * (fixed numbers and groups). Tags are cut to 32 bits and lengths read as int32, as protobuf-java does.
 */
export function fieldsOf(hex: string): readonly Field[] | null {
  const bytes = Buffer.from(hex, 'hex');
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length && fields.length < maxFields) {
    const tag = varintAt(bytes, at);
    if (tag === null) return null;
    const cut = Number(BigInt.asUintN(32, tag.value));
    const [id, type] = [cut >>> 3, cut & 7];
    const number = varintAt(bytes, tag.end);
    if (id === 0 || number === null || (type !== varint && type !== lengthDelimited)) return null;
    at = number.end;
    if (type === varint) {
      fields.push({ id, value: BigInt.asIntN(64, number.value) });
      continue;
    }
    const length = Number(BigInt.asIntN(32, number.value));
    if (length < 0 || length > bytes.length - at) return null;
    fields.push({ id, value: bytes.toString('hex', at, at + length) });
    at += length;
  }
  return at < bytes.length ? null : fields;
}

function varintAt(bytes: Buffer, start: number): { readonly value: bigint; readonly end: number } | null {
  let value = 0n;
  for (let place = 0; place < maxVarintBytes; place++) {
    const byte = bytes[start + place];
    if (byte === undefined) return null;
    value |= BigInt(byte & 0x7f) << BigInt(7 * place);
    if (byte < 0x80) return { value, end: start + place + 1 };
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
