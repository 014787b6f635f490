// The strict reader of request bodies: raw bytes in, one JSON object or a refusal out, in linear time.
import { printableName } from './printable-name.ts';

/** A body that was read, or what is wrong with it. `field` is the path of the field, or "body" for the whole body. */
export type StrictJson =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly field: string; readonly message: string };

/** Limits of a request body: at most 64 KiB and eight levels of objects and arrays, the outermost counted. */
export const bodyLimits = { maxBytes: 65536, maxDepth: 8 } as const;

/**
 * Reads a request body: valid UTF-8 without byte order mark, one object, no duplicate keys, no keys that reach
 * for a prototype, no lone surrogates, numbers only as plain safe integers. `maxBytes` bounds the size.
 */
export function parseStrictJson(bytes: Uint8Array, maxBytes: number = bodyLimits.maxBytes): StrictJson {
  if (bytes.length > maxBytes) return wrong('body', `must be at most ${maxBytes} bytes`);
  const text = decodeUtf8(bytes);
  if (text === undefined) return wrong('body', 'must be valid UTF-8');
  if (text.startsWith('\uFEFF')) return wrong('body', 'must not begin with a byte order mark');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wrong('body', 'must be valid JSON');
  }
  if (!isPlainObject(value)) return wrong('body', 'must be one JSON object');
  return checkTokens(text) ?? { ok: true, value };
}

/** One open object or array while the tokens are walked; `keys` is absent for an array. */
interface Frame {
  readonly keys: Set<string> | undefined;
  readonly path: string;
  key: string;
  index: number;
}

const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const loneSurrogate = /\p{Surrogate}/u;
const plainInteger = /^(0|-?[1-9][0-9]*)$/;
// One token at a time; white space, colons and the closing brackets are distinguished below. The text is
// known to be valid JSON, so a token can be cut without checking it, and every alternative is deterministic.
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][0-9.eE+-]*|[{}[\],:]/g;

/** Walks the tokens of valid JSON text. Returns the first problem that JSON.parse accepts and this reader does not. */
function checkTokens(text: string): StrictJson | undefined {
  const frames: Frame[] = [];
  let expectsKey = false;
  for (const [part] of text.matchAll(token)) {
    const frame = frames.at(-1);
    const first = part[0];
    if (first === '{' || first === '[') {
      if (frames.length === bodyLimits.maxDepth) {
        return wrong(outermostField(frames), `must not nest deeper than ${bodyLimits.maxDepth} levels`);
      }
      frames.push({ keys: first === '{' ? new Set() : undefined, path: pathOf(frame), key: '', index: 0 });
      expectsKey = first === '{';
    } else if (first === '}' || first === ']') {
      frames.pop();
      expectsKey = false;
    } else if (first === ',') {
      if (frame) frame.index += 1;
      expectsKey = frame?.keys !== undefined;
    } else if (first === ':') {
      expectsKey = false;
    } else if (first === '"') {
      const refusal = checkString(part, frame, expectsKey);
      if (refusal) return refusal;
    } else {
      const refusal = checkNumber(part, pathOf(frame));
      if (refusal) return refusal;
    }
  }
  return undefined;
}

/** Checks one string token; a key is also checked against the keys before it and noted in its frame. */
function checkString(part: string, frame: Frame | undefined, isKey: boolean): StrictJson | undefined {
  const escaped = part.includes('\\');
  const content: unknown = escaped ? JSON.parse(part) : part.slice(1, -1);
  if (typeof content !== 'string') return wrong('body', 'must be valid JSON');
  if (escaped && loneSurrogate.test(content)) {
    return wrong(isKey ? (frame?.path ?? 'body') : pathOf(frame), 'must not contain lone surrogates');
  }
  if (!isKey || !frame?.keys) return undefined;
  frame.key = content;
  if (forbiddenKeys.has(content)) return wrong(pathOf(frame), 'is not an allowed field name');
  if (frame.keys.has(content)) return wrong(pathOf(frame), 'must not be given twice');
  frame.keys.add(content);
  return undefined;
}

function checkNumber(part: string, field: string): StrictJson | undefined {
  if (!plainInteger.test(part)) {
    return wrong(
      field,
      'must not be a number with a fraction or an exponent; amounts are strings such as "12.50"',
    );
  }
  if (!Number.isSafeInteger(Number(part))) return wrong(field, 'must be an integer within the safe range');
  return undefined;
}

/** The path of the value that comes next in a frame: "a.b[2]"; "body" at the root. */
function pathOf(frame: Frame | undefined): string {
  if (!frame) return 'body';
  if (!frame.keys) return printableName(`${frame.path}[${frame.index}]`);
  return printableName(frame.path === 'body' ? frame.key : `${frame.path}.${frame.key}`);
}

function outermostField(frames: readonly Frame[]): string {
  return printableName(frames[0]?.key ?? 'body');
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(field: string, message: string): StrictJson {
  return { ok: false, field, message: `${field} ${message}` };
}
