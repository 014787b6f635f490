// A client of the node that is checked. Integers are returned as bigint, so that no digit is lost.
import { readJson, writeJson } from '../http/json/json-text.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface NodeClient {
  /** The answer as an object; throws where it is something else. */
  full(call: string, body?: Json): Promise<Json>;
  solid(call: string, body?: Json): Promise<Json>;
  /** The answer as it is. */
  raw(path: string, body?: Json): Promise<unknown>;
  /** Posts a text that may be no JSON. Returns the status and the text of the answer. */
  post(path: string, text: string): Promise<{ readonly status: number; readonly text: string }>;
}

const deadlineMs = 20_000;

/** `apiKey` is sent in the header that TronGrid requires. */
export function nodeClient(fullUrl: string, solidityUrl: string, apiKey?: string): NodeClient {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey !== undefined && { 'TRON-PRO-API-KEY': apiKey }),
  };
  const ask = async (url: string, body: Json) => {
    const signal = AbortSignal.timeout(deadlineMs);
    const response = await fetch(url, { method: 'POST', headers, body: writeJson(body), signal });
    return readJson(await response.text());
  };
  return {
    full: async (call, body = {}) => objectOf(await ask(`${fullUrl}/wallet/${call}`, body)),
    solid: async (call, body = {}) => objectOf(await ask(`${solidityUrl}/walletsolidity/${call}`, body)),
    raw: (path, body = {}) => ask(fullUrl + path, body),
    post: async (path, text) => {
      const signal = AbortSignal.timeout(deadlineMs);
      const response = await fetch(fullUrl + path, { method: 'POST', headers, body: text, signal });
      return { status: response.status, text: await response.text() };
    },
  };
}

/** The object in a JSON value; throws where it is none. */
function objectOf(value: unknown): Json {
  if (typeof value !== 'object' || value === null) throw new Error(`not an object: ${writeJson(value)}`);
  // Checked above; JSON objects and arrays have text keys.
  return value as Json;
}

/** The value at a path of keys, or undefined where the path ends early. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let current = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = objectOf(current)[key];
  }
  return current;
}

/** The objects in the array at a path; none where there is no array. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly Json[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.map(objectOf) : [];
}

/** The texts in the array at a path. */
export function textsAt(value: unknown, ...path: readonly (string | number)[]): readonly string[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.map((item) => String(item)) : [];
}

/** The integer at a path; absent means 0, as everywhere in java-tron's JSON. */
export function integerAt(value: unknown, ...path: readonly (string | number)[]): bigint {
  const found = at(value, ...path);
  return typeof found === 'bigint' ? found : 0n;
}
