// The wire of the signer: one compact JSON request per line, one answer per line, every field checked.
import type { SignAnswer } from '@ducat/core/signing/sign-answer';
import { exactObject } from './exact-object.ts';

/** The chain families that have keys. */
export type Family = 'evm' | 'tron';

/** Everything the signer does. A method that is not here does not exist. */
export type Method = 'account-public-key' | 'sign-payout' | 'sign-collection';

export const methods: readonly Method[] = ['account-public-key', 'sign-payout', 'sign-collection'];

/** A request whose envelope is well formed; client, method and params still have to prove themselves. */
export interface Request {
  readonly id: string;
  readonly client: string;
  readonly token: string;
  readonly method: string;
  readonly params: unknown;
}

export interface AccountPublicKeyParams {
  readonly family: Family;
  /** 0 ≤ account < 2^31 */
  readonly account: number;
}

export interface AccountPublicKeyResult {
  /** BIP-32 extended public key of the hardened account. */
  readonly xpub: string;
  readonly family: Family;
  readonly account: number;
  readonly path: string;
  readonly keyId: string;
}

export interface SignParams {
  /** Not checked here. The intent signer reads it, and logs a refusal where it is no intent. */
  readonly intent: unknown;
  readonly logSequence: number;
}

/** A refusal to sign is a result too: it has a reason, and its entry in the signing log. */
export type SignResult = SignAnswer & { readonly keyId: string };

export type ErrorCode = 'bad-request' | 'unauthorized' | 'unknown-method' | 'forbidden' | 'internal';

export interface ProtocolError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** `id` is null only when the request was so broken that it had none. */
export type Response =
  | { readonly id: string; readonly result: AccountPublicKeyResult | SignResult }
  | { readonly id: string | null; readonly error: ProtocolError };

/** Bytes of one line, the line break not counted. */
export const maxLineBytes = 64 * 1024;

/**
 * Reads one line. It must be UTF-8 and exactly the compact JSON form of what it says, so that doubled keys,
 * odd number spellings and padding have no second meaning to hide in. Gives undefined when it is anything else.
 */
export function parseRequest(line: Uint8Array): Request | undefined {
  const request = exactObject(parseExact(line), ['id', 'client', 'token', 'method', 'params']);
  if (request === undefined) return undefined;
  const { id, client, token, method, params } = request;
  if (typeof id !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(id)) return undefined;
  if (!isClientName(client)) return undefined;
  // A token this short could be guessed, so it is refused no matter what the configuration says.
  if (typeof token !== 'string' || !/^[\x21-\x7e]{32,256}$/.test(token)) return undefined;
  if (typeof method !== 'string' || !/^[a-z][a-z-]{0,63}$/.test(method)) return undefined;
  return { id, client, token, method, params };
}

/** The params of `account-public-key`, or undefined when a field is missing, foreign or out of range. */
export function parseAccountPublicKeyParams(value: unknown): AccountPublicKeyParams | undefined {
  const params = exactObject(value, ['family', 'account']);
  if (params === undefined) return undefined;
  const { family, account } = params;
  if (family !== 'evm' && family !== 'tron') return undefined;
  if (typeof account !== 'number' || !Number.isInteger(account)) return undefined;
  if (account < 0 || account >= 2 ** 31) return undefined;
  return { family, account };
}

/** The params of the signing methods, or undefined when a field is missing, foreign or out of range. */
export function parseSignParams(value: unknown): SignParams | undefined {
  const params = exactObject(value, ['intent', 'logSequence']);
  if (params === undefined) return undefined;
  const { intent, logSequence } = params;
  if (typeof logSequence !== 'number' || !Number.isSafeInteger(logSequence) || logSequence < 0)
    return undefined;
  return { intent, logSequence };
}

/** Whether a value may name a client: lower case, digits and dashes, at most 32 characters. */
export function isClientName(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z][a-z0-9-]{0,31}$/.test(value);
}

function parseExact(line: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(line);
    const value: unknown = JSON.parse(text);
    // Very deep nesting makes this throw, which is one more way of not being a request.
    return JSON.stringify(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}
