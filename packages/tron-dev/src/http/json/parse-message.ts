// Reads a message from JSON as java-tron does: unknown keys are ignored; `visible` decides the form of addresses and texts.
import { parseAddress } from '../../protocol/address.ts';
import { isHex, textToHex } from '../../protocol/hex.ts';
import { make, type Field, type MessageOf, type Schema } from '../../protocol/schema.ts';
import type { Params } from '../read-request.ts';

/** Throws on a value that does not fit its field. */
export function parseMessage<S extends Schema>(schema: S, json: unknown, isVisible: boolean): MessageOf<S> {
  // parseFields gives each named field a value of the field's own type.
  return make(schema, parseFields(schema, json, isVisible) as Partial<MessageOf<S>>);
}

export function asObject(value: unknown): Params {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('an object is expected');
  // Checked above; JSON objects have text keys.
  return value as Params;
}

function parseFields(schema: Schema, json: unknown, isVisible: boolean): Record<string, unknown> {
  const source = asObject(json);
  const message: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema)) {
    const value = source[name];
    if (value === undefined || value === null) continue;
    const list = field.repeated ? (Array.isArray(value) ? value : [value]) : null;
    message[name] =
      list === null
        ? parseValue(field, name, value, isVisible)
        : list.map((item: unknown) => parseValue(field, name, item, isVisible));
  }
  return message;
}

function parseValue(field: Field, name: string, value: unknown, isVisible: boolean): unknown {
  switch (field.kind) {
    case 'int64':
      return parseInteger(name, value);
    case 'bool':
      return value === true || value === 'true';
    case 'enum':
      return parseEnum(field, name, value);
    case 'string':
      return String(value);
    case 'address':
      return parseAddressField(String(value), isVisible);
    case 'text':
      return isVisible ? textToHex(String(value)) : parseHex(name, String(value));
    case 'bytes':
      return parseHex(name, String(value));
    case 'message':
      return make(field.message ?? {}, parseFields(field.message ?? {}, value, isVisible));
  }
}

function parseInteger(name: string, value: unknown): bigint {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return BigInt(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  throw new Error(`Couldn't parse integer: ${name}`);
}

/** Reads an enum by number, or by name in any case: ABIs have `function` and `view`. */
function parseEnum(field: Field, name: string, value: unknown): string {
  if (typeof value === 'bigint') return field.names?.get(Number(value)) ?? String(value);
  const wanted = String(value).toLowerCase();
  for (const known of field.names?.values() ?? []) if (known.toLowerCase() === wanted) return known;
  throw new Error(`unknown value of ${name}: ${String(value)}`);
}

/**
 * Reads an address, which is base58check in visible mode and else hex. Both forms are accepted in both modes, because
 * neither can be mistaken for the other.
 */
function parseAddressField(text: string, isVisible: boolean): string {
  const address = parseAddress(text);
  if (address !== null) return address;
  if (!isVisible && isHex(text)) return text.toLowerCase();
  throw new Error('INVALID address');
}

function parseHex(name: string, text: string): string {
  if (!isHex(text)) throw new Error(`INVALID hex String: ${name}`);
  return text.toLowerCase();
}
