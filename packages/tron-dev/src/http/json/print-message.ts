// Prints a message by java-tron's JSON rules: defaults are absent, bytes are hex, `visible` decides addresses and texts.
import { toBase58 } from '../../protocol/address.ts';
import { hexToText } from '../../protocol/hex.ts';
import { defaultOf, type Field, type MessageOf, type Schema } from '../../protocol/schema.ts';

export type Json = { readonly [key: string]: unknown };

/** The JSON object of a message. */
export function printMessage<S extends Schema>(schema: S, message: MessageOf<S>, isVisible: boolean): Json {
  return printFields(schema, message, isVisible);
}

function printFields(schema: Schema, message: Readonly<Record<string, unknown>>, isVisible: boolean): Json {
  const json: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema)) {
    const value = message[name];
    if (Array.isArray(value)) {
      if (value.length > 0) json[name] = value.map((item: unknown) => printValue(field, item, isVisible));
    } else if (value !== undefined && (field.always === true || value !== defaultOf(field))) {
      json[name] = printValue(field, value, isVisible);
    }
  }
  return json;
}

function printValue(field: Field, value: unknown, isVisible: boolean): unknown {
  switch (field.kind) {
    case 'address':
      return isVisible ? showAddress(String(value)) : value;
    case 'text':
      return isVisible ? (hexToText(String(value)) ?? value) : value;
    case 'message':
      // The codec gives an object for every message field.
      return printFields(field.message ?? {}, value as Record<string, unknown>, isVisible);
    case 'int64':
    case 'bool':
    case 'enum':
    case 'string':
    case 'bytes':
      return value;
  }
}

/** An address in base58. A text that is no address stays as it is. */
export function showAddress(hex: string): string {
  return hex.length === 42 ? toBase58(hex) : hex;
}
