// RLP written into bytes, from the hex digits of an answer.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';

const text = 0x80;
const list = 0xc0;
const shortest = 56;
/** Room for the prefix of a list, whose size is known only at its end. */
const prefixRoom = 4;

export class RlpWriter {
  /** What is written; only up to `length`, and in another buffer once it grows. */
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

  /** The byte string of these hex digits, two a byte. */
  hexString(digits: string): void {
    const size = digits.length / 2;
    if (size !== 1 || digits >= '8') this.#prefix(size, text);
    this.#ensure(size);
    // It ends at what is no digit, or half a byte.
    if (this.bytes.write(digits, this.length, 'hex') !== size)
      throw invalidAnswer('answered with text that is not hex');
    this.length += size;
  }

  /** The integer of these digits: no leading zeros, and zero is the empty string. */
  hexInteger(digits: string): void {
    const least = digits.startsWith('0') ? digits.replace(/^0+/, '') : digits;
    this.hexString(least.length % 2 === 0 ? least : `0${least}`);
  }

  /** Begins a list; `close` takes what this gives. */
  open(): number {
    this.#ensure(prefixRoom);
    this.length += prefixRoom;
    return this.length - prefixRoom;
  }

  /** Ends the list that began there. Its content moves towards its beginning, as far as its prefix leaves room. */
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

  #ensure(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.length + size));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
