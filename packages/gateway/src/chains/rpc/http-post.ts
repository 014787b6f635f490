// The only way to send bytes to a provider and read its answer.
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Agent, type buildConnector, request } from 'undici';

export interface HttpRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Ends the exchange where it is not read to its end. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Rejects with any error where the provider cannot be reached. Tests hand in another implementation. */
export type HttpPost = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * How long a free connection is kept where the provider does not say: longer than an idle chain rests, and shorter than
 * most nodes and their proxies keep it.
 */
const FREE_MS = 20_000;
/** Errors of a connection that the provider closed while the request was on its way. */
const CLOSED: ReadonlySet<string | null> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/**
 * Keeps connections of its own. Node's fetch is built on an older edition of the same library and takes three times the CPU
 * of that library's plain request: 13 against 4 microseconds for a transaction of a block, measured. `connect` says how a
 * connection is opened, where that is not as usual.
 */
export function createHttpPost(connect: buildConnector.BuildOptions = {}): HttpPost {
  // The caller sets the deadline of an exchange, so the agent has none.
  const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: FREE_MS, connect });
  return async ({ url, headers, body, signal }) => {
    // Public providers answer over https, where bandwidth is scarce. Nodes of one's own answer over http, where CPU is
    // scarce.
    const encoding = { 'accept-encoding': url.startsWith('https:') ? 'gzip' : 'identity' };
    const options = { headers: { ...headers, ...encoding }, body, signal, dispatcher };
    const post = () => request(url, { method: 'POST', ...options });
    // A request may be sent twice: all of them read, or broadcast bytes that count once.
    const answer = await post().catch((error: unknown) => {
      if (!CLOSED.has(codeOf(error))) throw error;
      return post();
    });
    const { statusCode, headers: answered, body: bytes } = answer;
    const isPacked = answered['content-encoding'] === 'gzip';
    return {
      status: statusCode,
      // Errors of the connection and of unpacking reach the reader of the body.
      body: isPacked ? pipeline(bytes, createGunzip(), () => undefined) : bytes,
    };
  };
}

/** The code of a network error; null where it has none. */
export function codeOf(error: unknown): string | null {
  const hasCode = typeof error === 'object' && error !== null && 'code' in error;
  return hasCode && typeof error.code === 'string' ? error.code : null;
}
