// Encodes and decodes protobuf messages described by a schema; the wire itself is the protobuf library's.
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { bytesToHex, hexToBytes } from './hex.ts';
import { defaultOf, type Field, type MessageOf, type Schema } from './schema.ts';

/** The bytes of a message, as hex. Fields with their default value are left out. The others are in numeric order. */
export function encode<S extends Schema>(schema: S, message: MessageOf<S>): string {
  return bytesToHex(encodeBytes(schema, message));
}

/** Reads a message; fields the schema does not name are skipped. Throws on bytes that are no protobuf. */
export function decode<S extends Schema>(schema: S, hex: string): MessageOf<S> {
  // decodeBytes fills every field of the schema with a value of the field's own type.
  return decodeBytes(schema, hexToBytes(hex)) as MessageOf<S>;
}

function encodeBytes(schema: Schema, message: Readonly<Record<string, unknown>>): Uint8Array {
  const writer = new BinaryWriter();
  const fields = Object.entries(schema).sort(([, a], [, b]) => a.no - b.no);
  for (const [name, field] of fields) {
    const value = message[name];
    const values: readonly unknown[] = field.repeated
      ? asList(value)
      : isDefault(field, value)
        ? []
        : [value];
    for (const item of values) writeField(writer, field, item);
  }
  return writer.finish();
}

function isDefault(field: Field, value: unknown): boolean {
  return value === undefined || (field.always !== true && value === defaultOf(field));
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function writeField(writer: BinaryWriter, field: Field, value: unknown): void {
  switch (field.kind) {
    case 'int64':
      // An int64 field holds a bigint.
      writer.tag(field.no, WireType.Varint).int64(value as bigint);
      return;
    case 'bool':
      writer.tag(field.no, WireType.Varint).bool(value === true);
      return;
    case 'enum':
      writer.tag(field.no, WireType.Varint).int32(enumNumber(field, String(value)));
      return;
    case 'string':
      writer.tag(field.no, WireType.LengthDelimited).string(String(value));
      return;
    case 'bytes':
    case 'address':
    case 'text':
      writer.tag(field.no, WireType.LengthDelimited).bytes(hexToBytes(String(value)));
      return;
    case 'message':
      // A message field holds an object with the fields of its schema.
      writer
        .tag(field.no, WireType.LengthDelimited)
        .bytes(encodeBytes(field.message ?? {}, value as Readonly<Record<string, unknown>>));
  }
}

function enumNumber(field: Field, name: string): number {
  for (const [no, known] of field.names ?? []) if (known === name) return no;
  return Number(name);
}

function decodeBytes(schema: Schema, data: Uint8Array): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  const byNumber = new Map<number, [string, Field]>();
  for (const [name, field] of Object.entries(schema)) {
    message[name] = defaultOf(field);
    byNumber.set(field.no, [name, field]);
  }
  const reader = new BinaryReader(data);
  while (reader.pos < reader.len) {
    const [no, wireType] = readTag(reader);
    const known = byNumber.get(no);
    if (known === undefined || wireType !== wireTypeOf(known[1])) {
      reader.skip(wireType, no);
      continue;
    }
    const [name, field] = known;
    const value = readField(reader, field);
    message[name] = field.repeated ? [...asList(message[name]), value] : value;
  }
  return message;
}

/**
 * Whether the message, or a message in it, has a fixed-width field that its schema does not name. Throws as `decode`
 * does.
 */
export function hasUnknownFixed(schema: Schema, hex: string): boolean {
  const byNumber = new Map(Object.values(schema).map((field) => [field.no, field]));
  const reader = new BinaryReader(hexToBytes(hex));
  while (reader.pos < reader.len) {
    const [no, wireType] = readTag(reader);
    const field = byNumber.get(no);
    const isKnown = field !== undefined && wireType === wireTypeOf(field);
    if (!isKnown && (wireType === WireType.Bit32 || wireType === WireType.Bit64)) return true;
    if (isKnown && field.kind === 'message') {
      if (hasUnknownFixed(field.message ?? {}, bytesToHex(reader.bytes()))) return true;
    } else reader.skip(wireType, no);
  }
  return false;
}

/** Nodes read a tag as a 64-bit number and cut it to 32 bits, so a payload may contain longer tags. */
function readTag(reader: BinaryReader): readonly [number, WireType] {
  const tag = Number(BigInt.asUintN(32, BigInt(reader.uint64())));
  const [no, wireType] = [tag >>> 3, tag & 7];
  if (no === 0 || wireType > WireType.Bit32) throw new Error(`illegal tag ${tag}`);
  return [no, wireType];
}

function wireTypeOf(field: Field): WireType {
  return field.kind === 'int64' || field.kind === 'bool' || field.kind === 'enum'
    ? WireType.Varint
    : WireType.LengthDelimited;
}

function readField(reader: BinaryReader, field: Field): unknown {
  switch (field.kind) {
    case 'int64':
      return BigInt(reader.int64());
    case 'bool':
      return reader.bool();
    case 'enum': {
      const no = reader.int32();
      return field.names?.get(no) ?? String(no);
    }
    case 'string':
      return reader.string();
    case 'bytes':
    case 'address':
    case 'text':
      return bytesToHex(reader.bytes());
    case 'message':
      return decodeBytes(field.message ?? {}, reader.bytes());
  }
}
