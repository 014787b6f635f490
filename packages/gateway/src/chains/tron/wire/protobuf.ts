// The part of protobuf that proves a block: messages are read and written as java-tron's library does it.

/** A range inside other bytes, which are not copied. */
export interface Span {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** The fields of a message by number: an integer, the range of its bytes, or the ranges of a repeated field. */
export type Fields = readonly (bigint | Span | Span[] | undefined)[];

/** The kind of a message's field. `messages` may occur any number of times, the others once. */
export type FieldKind = 'int32' | 'int64' | 'bytes' | 'message' | 'messages';

/** The fields of a message by number. */
export type Shape = Readonly<Record<number, FieldKind>>;

const varint = 0;
const lengthDelimited = 2;
const maxVarintBytes = 10;
const largestTag = 2n ** 32n - 1n;
const noBytes: Span = { bytes: Buffer.alloc(0), from: 0, to: 0 };
/** An integer field as hex; nothing where it is 0. Negative ones take ten bytes, as int32 and int64 do. */
export function integerField(id: number, value: bigint): string {
  return value === 0n ? '' : varintHex(id * 8 + varint) + varintHex(BigInt.asUintN(64, value));
}

/** A field of bytes, which are given as hex; nothing where they are empty. */
export function bytesField(id: number, hex: string): string {
  return hex === '' ? '' : messageField(id, hex);
}

/** A field with a message, which is written even where the message is empty. */
export function messageField(id: number, hex: string): string {
  return messageHead(id, hex.length / 2) + hex;
}

/** The head of a message field with so many bytes. */
export function messageHead(id: number, bytes: number): string {
  return varintHex(id * 8 + lengthDelimited) + varintHex(bytes);
}

/**
 * The fields of a message, or null where its bytes could be read in another way: a field that occurs twice, has another wire
 * type, or is not in the message; a tag beyond 32 bits; a number in more bytes than it needs. java-tron may read such bytes
 * in another way than we do, so they are not read at all. The order of fields, and whether a default is written, may differ
 * between wallets and changes no meaning.
 */
export function unambiguousFields(message: Span, shape: Shape): Fields | null {
  const cursor = new Cursor(message);
  const fields: (bigint | Span | Span[] | undefined)[] = [];
  while (!cursor.isAtEnd) {
    const read = cursor.varint();
    if (read === null || read > largestTag) return null;
    const tag = Number(read);
    const id = Math.floor(tag / 8);
    const kind = shape[id];
    const before = fields[id];
    if (kind === undefined || (kind !== 'messages' && before !== undefined)) return null;
    if (tag % 8 !== (isIntegerKind(kind) ? varint : lengthDelimited)) return null;
    const value = isIntegerKind(kind) ? integerAt(cursor, kind) : cursor.bytes();
    if (value === null) return null;
    if (kind !== 'messages' || typeof value !== 'object') fields[id] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[id] = [value];
  }
  return fields;
}

/** The range of all these bytes. */
export function spanOf(bytes: Buffer): Span {
  return { bytes, from: 0, to: bytes.length };
}

export function spanHex({ bytes, from, to }: Span): string {
  return bytes.toString('hex', from, to);
}

export function spanEquals({ bytes, from, to }: Span, others: Buffer): boolean {
  return to - from === others.length && others.compare(bytes, from, to) === 0;
}

/** Whether fields of that kind are numbers; the others are bytes. */
function isIntegerKind(kind: FieldKind): boolean {
  return kind === 'int32' || kind === 'int64';
}

/** The integer field; 0 where it is absent. */
export function integerIn(fields: Fields, id: number): bigint {
  const value = fields[id];
  return typeof value === 'bigint' ? value : 0n;
}

/** The bytes field; empty where it is absent. */
export function bytesIn(fields: Fields, id: number): Span {
  const value = fields[id];
  return typeof value === 'object' && !Array.isArray(value) ? value : noBytes;
}

/** All values under that number, in their order. */
export function listIn(fields: Fields, id: number): readonly Span[] {
  const value = fields[id];
  return Array.isArray(value) ? value : [];
}

/** Null for an integer that does not fit its kind. */
function integerAt(cursor: Cursor, kind: FieldKind): bigint | null {
  const read = cursor.varint();
  if (read === null) return null;
  const value = BigInt.asIntN(64, read);
  return kind === 'int32' && (value > 0x7fffffff || value < -0x80000000) ? null : value;
}

/** Walks over the bytes of a message once. */
class Cursor {
  readonly #bytes: Buffer;
  readonly #to: number;
  #at: number;

  constructor({ bytes, from, to }: Span) {
    this.#bytes = bytes;
    this.#to = to;
    this.#at = from;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#to;
  }

  /** As many bytes as the length announces; null where there are fewer. */
  bytes(): Span | null {
    const length = this.varint();
    if (length === null || length > this.#to - this.#at) return null;
    const from = this.#at;
    this.#at += Number(length);
    return { bytes: this.#bytes, from, to: this.#at };
  }

  /** Null for a number in more bytes than it needs, or of more than 64 bits. */
  varint(): bigint | null {
    let value = 0n;
    for (let place = 0; place < maxVarintBytes; place++) {
      const byte = this.#next();
      value |= BigInt(byte & 0x7f) << BigInt(7 * place);
      if (byte >= 0x80) continue;
      const isLonger = byte === 0 && place > 0;
      return byte < 0 || isLonger || value !== BigInt.asUintN(64, value) ? null : value;
    }
    return null;
  }

  /** The next byte; -1 where the message ends. */
  #next(): number {
    return this.#at < this.#to ? (this.#bytes[this.#at++] ?? -1) : -1;
  }
}

function varintHex(value: number | bigint): string {
  // Most values are tags and short lengths.
  if (value < 0x80) return byteHex(Number(value));
  let hex = '';
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) hex += byteHex(Number(rest & 0x7fn) | 0x80);
  return hex + byteHex(Number(rest));
}

function byteHex(byte: number): string {
  return (0x100 + byte).toString(16).slice(1);
}
