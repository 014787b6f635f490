// java-tron's JSON as it is: a field with its default value is absent, bytes are hex, integers are numbers.
import { createHash } from 'node:crypto';
import { LyingNode } from '../endpoint/lying-node.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws LyingNode where it is something else; absent means empty. */
export function recordOf(value: unknown, what: string): Json {
  if (value === undefined) return {};
  if (isRecord(value)) return value;
  throw new LyingNode(`answered with ${what} that is no object`);
}

/** Absent means empty. */
export function listOf(value: unknown, what: string): readonly Json[] {
  if (value === undefined) return [];
  if (Array.isArray(value) && value.every(isRecord)) return value;
  throw new LyingNode(`answered with ${what} that is no list of objects`);
}

/** Absent means 0. */
export function integerOf(value: unknown, what: string): bigint {
  if (value === undefined) return 0n;
  if (typeof value === 'bigint') return value;
  throw new LyingNode(`answered with ${what} that is no integer`);
}

/** Lower-case hex of whole bytes, of any number or of exactly so many; absent means no bytes. */
export function hexOf(value: unknown, what: string, bytes?: number): string {
  const text = value ?? '';
  const isHex = typeof text === 'string' && text.length % 2 === 0 && !/[^0-9a-fA-F]/.test(text);
  if (isHex && (bytes === undefined || text.length === bytes * 2)) return text.toLowerCase();
  throw new LyingNode(`answered with ${what} that is not ${bytes ?? 'a number of'} bytes as hex`);
}

/** The same as bytes, of any number. */
export function bytesOf(value: unknown, what: string): Buffer {
  const text = value ?? '';
  // Decoding stops at what is no digit, but takes one beyond a byte for what its last byte is.
  if (typeof text === 'string' && Buffer.byteLength(text) === text.length) {
    const bytes = Buffer.from(text, 'hex');
    if (bytes.length * 2 === text.length) return bytes;
  }
  throw new LyingNode(`answered with ${what} that is not a number of bytes as hex`);
}

/** A height as it can be counted. */
export function heightOf(value: unknown): number {
  const height = integerOf(value, 'a block number');
  if (height < 0n || height > BigInt(Number.MAX_SAFE_INTEGER)) throw new LyingNode('answered with no height');
  return Number(height);
}

/** One text for one value, in whatever order its fields are told. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(sortedText(value)).digest('hex');
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`;
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
