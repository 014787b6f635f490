// The little of protobuf that proves a block: fields written in order, defaults left out, and fields read back.
import { LyingNode } from '../endpoint/lying-node.ts';

/** One field: a number, or bytes as hex. */
export interface Field {
  readonly id: number;
  readonly value: bigint | string;
}

const varint = 0;
const fixed64 = 1;
const lengthDelimited = 2;
const fixed32 = 5;
const maxVarintBytes = 10;

/** An integer field as hex; nothing where it is 0. Negative ones take ten bytes, as int64 does. */
export function integerField(id: number, value: bigint): string {
  return value === 0n ? '' : varintHex(BigInt((id << 3) | varint)) + varintHex(BigInt.asUintN(64, value));
}

/** A field of bytes, which are given as hex; nothing where they are empty. */
export function bytesField(id: number, hex: string): string {
  return hex === '' ? '' : messageField(id, hex);
}

/** A field with a message, which is written even where the message is empty. */
export function messageField(id: number, hex: string): string {
  return varintHex(BigInt((id << 3) | lengthDelimited)) + varintHex(BigInt(hex.length / 2)) + hex;
}

/** The fields of a message in their order. Throws LyingNode for bytes that are no message. */
export function fieldsOf(hex: string): readonly Field[] {
  const bytes = Buffer.from(hex, 'hex');
  const fields: Field[] = [];
  let at = 0;
  const readVarint = (): bigint => {
    let value = 0n;
    for (let place = 0; place < maxVarintBytes; place++) {
      const byte = bytes[at++];
      if (byte === undefined) throw malformed();
      value |= BigInt(byte & 0x7f) << BigInt(7 * place);
      if (byte < 0x80) return value;
    }
    throw malformed();
  };
  const readBytes = (length: number): string => {
    if (length > bytes.length - at) throw malformed();
    at += length;
    return bytes.toString('hex', at - length, at);
  };
  while (at < bytes.length) {
    const tag = readVarint();
    const [id, type] = [Number(tag >> 3n), Number(tag & 7n)];
    if (type === varint) fields.push({ id, value: BigInt.asIntN(64, readVarint()) });
    else if (type === lengthDelimited) fields.push({ id, value: readBytes(Number(readVarint())) });
    else if (type === fixed64) readBytes(8);
    else if (type === fixed32) readBytes(4);
    else throw malformed();
  }
  return fields;
}

/** The last integer under that id, as protobuf reads it; 0 where there is none. */
export function integerIn(fields: readonly Field[], id: number): bigint {
  const value = fields.findLast((field) => field.id === id)?.value;
  return typeof value === 'bigint' ? value : 0n;
}

/** The last bytes under that id as hex; empty where there are none. */
export function bytesIn(fields: readonly Field[], id: number): string {
  const value = fields.findLast((field) => field.id === id)?.value;
  return typeof value === 'string' ? value : '';
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

function malformed(): LyingNode {
  return new LyingNode('answered with bytes that are no message');
}
