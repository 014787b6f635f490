// Reads parameters from the query or the JSON body, as leniently as java-tron does.
import { parseAddress } from '../protocol/address.ts';
import { isHex, textToHex } from '../protocol/hex.ts';
import { writeJson } from './json/json-text.ts';

export type Params = Readonly<Record<string, unknown>>;

export function isVisible(params: Params): boolean {
  return readBool(params, 'visible');
}

export function readBool(params: Params, name: string): boolean {
  return params[name] === true || params[name] === 'true';
}

export function readText(params: Params, name: string): string {
  const value = params[name];
  return typeof value === 'string' || typeof value === 'bigint' ? String(value) : '';
}

/** An integer given as number or text; absent means 0. Throws on other text. */
export function readInteger(params: Params, name: string): bigint {
  const value = params[name];
  if (typeof value === 'bigint') return value;
  if (typeof value === 'string' && value !== '') return BigInt(value);
  return 0n;
}

/** The height or count of blocks that a call asks for; absent means 0. java-tron accepts no text here. */
export function readHeight(params: Params, name: string): bigint {
  const value = params[name] ?? 0n;
  if (typeof value === 'bigint') return value;
  throw new Error(`Couldn't parse integer: For input string: "${writeJson(value)}"`);
}

/** The address as 42 hex digits. Throws where the parameter is no address in either form. */
export function readAddress(params: Params, name: string): string {
  const address = parseAddress(readText(params, name));
  if (address === null) throw new Error(`INVALID address, ${name}`);
  return address;
}

/** Bytes given as hex, or as text in visible mode. */
export function readBytes(params: Params, name: string): string {
  const value = readText(params, name);
  if (isHex(value)) return value.toLowerCase();
  if (isVisible(params)) return textToHex(value);
  throw new Error(`INVALID hex String, ${name}`);
}

export function readId(params: Params, name: string): string {
  return readText(params, name).replace(/^0x/, '').toLowerCase();
}
