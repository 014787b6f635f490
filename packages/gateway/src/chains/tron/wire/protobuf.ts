// The little of protobuf that proves a block: messages read as java-tron's library reads them, and written as it does.

/** Where bytes stand inside of others, of which nothing is copied. */
export interface Span {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** The fields of a message by number: a number, where its bytes stand, or where the bytes of each of several stand. */
export type Fields = readonly (bigint | Span | Span[] | undefined)[];

/** What a field of a message is; `messages` may stand any number of times, the others once. */
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

/** What stands before a message of so many bytes. */
export function messageHead(id: number, bytes: number): string {
  return varintHex(id * 8 + lengthDelimited) + varintHex(bytes);
}

/**
 * The fields of a message, or null where its bytes could be read in another way: a field twice, under another wire
 * type or that the message does not have, a tag beyond 32 bits, a number in more bytes than it takes. Such bytes can
 * mean one thing to java-tron and another to us, so they mean nothing here. In which order fields stand, and whether
 * a default is written, changes nothing for anybody, and wallets differ in it.
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

/** All of these bytes. */
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

/** 0 where there is none. */
export function integerIn(fields: Fields, id: number): bigint {
  const value = fields[id];
  return typeof value === 'bigint' ? value : 0n;
}

/** Empty where there are none. */
export function bytesIn(fields: Fields, id: number): Span {
  const value = fields[id];
  return typeof value === 'object' && !Array.isArray(value) ? value : noBytes;
}

/** All under that number, in their order. */
export function listIn(fields: Fields, id: number): readonly Span[] {
  const value = fields[id];
  return Array.isArray(value) ? value : [];
}

/** Null for one that does not fit. */
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

  /** As many bytes as are announced; null where there are fewer. */
  bytes(): Span | null {
    const length = this.varint();
    if (length === null || length > this.#to - this.#at) return null;
    const from = this.#at;
    this.#at += Number(length);
    return { bytes: this.#bytes, from, to: this.#at };
  }

  /** Null for one that is written in more bytes than it takes, or of more than 64 bits. */
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

  /** -1 where the message ends. */
  #next(): number {
    return this.#at < this.#to ? (this.#bytes[this.#at++] ?? -1) : -1;
  }
}

function varintHex(value: number | bigint): string {
  // Most are tags and short lengths.
  if (value < 0x80) return byteHex(Number(value));
  let hex = '';
  let rest = BigInt(value);
  for (; rest > 0x7fn; rest >>= 7n) hex += byteHex(Number(rest & 0x7fn) | 0x80);
  return hex + byteHex(Number(rest));
}

function byteHex(byte: number): string {
  return (0x100 + byte).toString(16).slice(1);
}
