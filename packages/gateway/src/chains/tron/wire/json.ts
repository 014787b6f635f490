// java-tron's JSON as it is: a field with its default value is absent, bytes are hex, integers are numbers.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws Outage 'invalid' where it is something else; absent means empty. */
export function recordOf(value: unknown, what: string): Json {
  if (value === undefined) return {};
  if (isRecord(value)) return value;
  throw invalidAnswer(`answered with ${what} that is no object`);
}

/** Absent means empty. */
export function listOf(value: unknown, what: string): readonly Json[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isRecord)) return value;
  throw invalidAnswer(`answered with ${what} that is no list of objects`);
}

/** Whether it was written as an integer; fractions do not come out of the parser. */
export function isInteger(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Absent means 0. */
export function integerOf(value: unknown, what: string): bigint {
  if (value === undefined) return 0n;
  if (typeof value === 'bigint') return value;
  if (Number.isSafeInteger(value)) return BigInt(Number(value));
  throw invalidAnswer(`answered with ${what} that is no integer`);
}

/** Lower-case hex of whole bytes, of any number or of exactly so many; absent means no bytes. */
export function hexOf(value: unknown, what: string, bytes?: number): string {
  const text = value ?? '';
  const isHex = typeof text === 'string' && text.length % 2 === 0 && !/[^0-9a-fA-F]/.test(text);
  if (isHex && (bytes === undefined || text.length === bytes * 2)) return text.toLowerCase();
  throw invalidAnswer(`answered with ${what} that is not ${bytes ?? 'a number of'} bytes as hex`);
}
