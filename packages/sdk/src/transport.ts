// One signed call to the gateway: sign, send, verify, unwrap, and retry where that is safe.
import { ConnectionError, refusalError, ResponseVerificationError, TimeoutError } from './errors.ts';
import type { RefusalCode } from './generated/codes.ts';
import { type EndpointTypes, endpointPaths } from './generated/endpoints.ts';
import { headerNames, timestampText } from './generated/signature.ts';
import { readLimited } from './read-limited.ts';
import { sign } from './sign.ts';
import { isSigned, type RawResponse, verifyDate, verifyResponse } from './verify-response.ts';
import type { World } from './world.ts';

/** The settings of calls; the limits have their defaults in client.ts. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly appId: string;
  readonly appKey: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly fetch: typeof globalThis.fetch;
  readonly world: World;
}

/**
 * Calls an endpoint by name. `fits` checks whether the data can be the answer to this very request. `headers` are sent
 * with every retry as well.
 */
export type Call = <Name extends keyof EndpointTypes>(
  name: Name,
  request: EndpointTypes[Name]['request'],
  fits: (data: EndpointTypes[Name]['data']) => boolean,
  headers?: Readonly<Record<string, string>>,
) => Promise<EndpointTypes[Name]['data']>;

const maxResponseBytes = 8 * 1024 * 1024;
const firstPauseMs = 200;

/**
 * Makes the function that all resources call through. A call is repeated only when the network failed, at most
 * `maxRetries` times, with the same body and a fresh signature. That is safe: every operation here only reads,
 * or is idempotent by its out_trade_no or its Idempotency-Key.
 */
export function createTransport(options: TransportOptions): Call {
  return async (name, request, fits, headers = {}) => {
    const body = new TextEncoder().encode(JSON.stringify(request));
    for (let attempt = 0; ; attempt += 1) {
      try {
        const response = await send(options, endpointPaths[name], body, headers);
        return unwrap(response, options.world.nowMs() / 1000, fits);
      } catch (error) {
        if (!(error instanceof ConnectionError) || attempt >= options.maxRetries) throw error;
        await options.world.sleep(firstPauseMs * 2 ** attempt * (0.5 + options.world.random()));
      }
    }
  };
}

/** Sends one signed request and returns the answer once its signature is verified. */
async function send(
  options: TransportOptions,
  path: string,
  body: Uint8Array,
  headers: Readonly<Record<string, string>>,
): Promise<RawResponse> {
  const timestamp = timestampText(options.world.nowMs() / 1000);
  const response = await exchange(options, path, {
    method: 'POST',
    // A redirect is never followed: a signed request goes to the configured gateway and nowhere else.
    redirect: 'manual',
    headers: {
      ...headers,
      'content-type': 'application/json',
      [headerNames.appId]: options.appId,
      [headerNames.timestamp]: timestamp,
      [headerNames.signature]: sign(body, timestamp, options.appKey),
    },
    body: Buffer.from(body),
    signal: AbortSignal.timeout(options.timeoutMs),
  });
  if (response.status >= 500 && !isSigned(response)) {
    throw new ConnectionError(
      `Something before the gateway answered HTTP ${response.status} without signature.`,
    );
  }
  if (!isSigned(response)) throw unsignedError(response);
  verifyResponse(response, options);
  return response;
}

/** The codes that the gateway answers without a signature, to a caller who has not proven the key. */
const UNSIGNED_CODES: ReadonlySet<number> = new Set<RefusalCode>([10006, 10007, 10008, 20009]);

/**
 * The error of an unsigned answer. Anybody could have made the answer, so its text is passed on but never taken as the
 * gateway's.
 */
function unsignedError(response: RawResponse): Error {
  let envelope: unknown;
  try {
    envelope = parse(response.body);
  } catch {
    envelope = null;
  }
  if (isEnvelope(envelope) && UNSIGNED_CODES.has(envelope.code)) return refusalOf(response, envelope, false);
  const says = isEnvelope(envelope) && envelope.code !== 0 ? `: ${envelope.msg}` : '';
  return new ResponseVerificationError(
    `The answer (HTTP ${response.status}) is not signed${says}. Check baseUrl: perhaps it is not the gateway's.`,
  );
}

function refusalOf(response: RawResponse, { code, msg }: ReceivedEnvelope, verified: boolean): Error {
  const retryAfter = Number(response.header('retry-after') ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(retryAfter) ? retryAfter : undefined;
  return refusalError({ code, msg, httpStatus: response.status, retryAfterSeconds, verified });
}

/** The network part alone. Every failure of the network is a `ConnectionError`. */
async function exchange(options: TransportOptions, path: string, init: RequestInit): Promise<RawResponse> {
  try {
    const response = await options.fetch(options.baseUrl + path, init);
    const body = await readLimited(response.body, maxResponseBytes);
    if (body === undefined)
      throw new ResponseVerificationError(`The answer is over ${maxResponseBytes} bytes.`);
    return { status: response.status, header: (name) => response.headers.get(name), body };
  } catch (cause) {
    if (cause instanceof ResponseVerificationError) throw cause;
    if (cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError')) {
      throw new TimeoutError(`No answer from the gateway within ${options.timeoutMs} ms.`, { cause });
    }
    throw new ConnectionError(`The gateway could not be reached at ${options.baseUrl}.`, { cause });
  }
}

/**
 * Opens the envelope of a signed answer. Returns the data, or throws the error of its code. The answer must be current.
 */
function unwrap<Data>(response: RawResponse, nowSeconds: number, fits: (data: Data) => boolean): Data {
  const envelope: unknown = parse(response.body);
  if (!isEnvelope(envelope)) throw new ResponseVerificationError('The answer is signed but has no envelope.');
  verifyDate(response, nowSeconds);
  if (envelope.code !== 0) throw refusalOf(response, envelope, true);
  // The signature vouches for the gateway, and the gateway's own tests for the shape of its data.
  const data = envelope.data as Data;
  if (typeof data !== 'object' || data === null || !fits(data)) {
    throw new ResponseVerificationError('The answer is signed but belongs to another request.');
  }
  return data;
}

interface ReceivedEnvelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

function isEnvelope(value: unknown): value is ReceivedEnvelope {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'code' in value &&
    Number.isInteger(value.code) &&
    'msg' in value &&
    typeof value.msg === 'string' &&
    'data' in value
  );
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    throw new ResponseVerificationError('The answer is not JSON.', { cause });
  }
}
