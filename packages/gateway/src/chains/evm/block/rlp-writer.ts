// RLP written into bytes, straight from the hex digits of an answer.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';

const text = 0x80;
const list = 0xc0;
const shortest = 56;
/** Room for the prefix of a list, whose size is known only at its end. */
const prefixRoom = 4;
const noDigit = 0xff;
/** The digit 0. */
const zero = 48;

const digits = new Uint8Array(256).fill(noDigit);
for (const [value, digit] of Array.from('0123456789abcdef').entries()) {
  digits[digit.charCodeAt(0)] = value;
  digits[digit.toUpperCase().charCodeAt(0)] = value;
}

export class RlpWriter {
  /** The written bytes, valid up to `length`. Another buffer takes their place when they grow. */
  bytes: Buffer;
  length = 0;

  constructor(room: number) {
    this.bytes = Buffer.allocUnsafe(room);
  }

  byte(value: number): void {
    this.#ensure(1);
    this.bytes[this.length++] = value;
  }

  /** A byte string. */
  string(bytes: Uint8Array): void {
    if (bytes.length !== 1 || (bytes[0] ?? 0) >= text) this.#prefix(bytes.length, text);
    this.#ensure(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /**
   * Writes the byte string of these digits of `source`, two a byte. Returns its length; throws Outage 'invalid' for other
   * text.
   */
  hexString(source: Uint8Array, from: number, to: number): number {
    const size = (to - from) / 2;
    if (!Number.isInteger(size)) throw noHex();
    const isOwnPrefix = size === 1 && (digits[source[from] ?? 0] ?? noDigit) < 8;
    if (!isOwnPrefix) this.#prefix(size, text);
    this.#hex(source, from, size);
    return size;
  }

  /** Writes the integer of these digits: without leading zeros, and zero as the empty string. */
  hexInteger(source: Uint8Array, from: number, to: number): void {
    let first = from;
    while (first < to && source[first] === zero) first++;
    const count = to - first;
    const isOdd = count % 2 === 1;
    const highest = digits[source[first] ?? 0] ?? noDigit;
    const isOwnPrefix = count === 1 || (count === 2 && highest < 8);
    if (!isOwnPrefix) this.#prefix((count + 1) >> 1, text);
    if (isOdd && highest === noDigit) throw noHex();
    if (isOdd) this.byte(highest);
    this.#hex(source, isOdd ? first + 1 : first, count >> 1);
  }

  /** Begins a list; `close` takes the returned mark. */
  open(): number {
    this.#ensure(prefixRoom);
    this.length += prefixRoom;
    return this.length - prefixRoom;
  }

  /** Ends the list that began at `mark`. Its content moves forward, to right behind its prefix. */
  close(mark: number): void {
    const from = mark + prefixRoom;
    const end = this.length;
    this.length = mark;
    this.#prefix(end - from, list);
    if (this.length > from) throw invalidAnswer('answered with a list of more than 16 MiB');
    this.bytes.copyWithin(this.length, from, end);
    this.length += end - from;
  }

  #prefix(size: number, kind: number): void {
    if (size < shortest) {
      this.byte(kind + size);
      return;
    }
    const width = size < 0x100 ? 1 : size < 0x10000 ? 2 : size < 0x1000000 ? 3 : 4;
    this.byte(kind + shortest - 1 + width);
    for (let shift = (width - 1) * 8; shift >= 0; shift -= 8) this.byte((size >> shift) & 0xff);
  }

  #hex(source: Uint8Array, from: number, size: number): void {
    this.#ensure(size);
    const { bytes } = this;
    let at = from;
    let bad = 0;
    for (let to = this.length; to < this.length + size; to++, at += 2) {
      const high = digits[source[at] ?? 0] ?? noDigit;
      const low = digits[source[at + 1] ?? 0] ?? noDigit;
      bad |= high | low;
      bytes[to] = (high << 4) | low;
    }
    if (bad > 15) throw noHex();
    this.length += size;
  }

  #ensure(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + size));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

function noHex(): Error {
  return invalidAnswer('answered with text that is not hex');
}
