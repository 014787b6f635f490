// JSON-RPC over HTTP to one endpoint: nothing but a complete, matching answer comes out of it.
import type { World } from '../../runtime/world.ts';
import { Outage } from '../../runtime/outage.ts';
import { parseJson } from '../endpoint/parse-json.ts';
import { postJson } from '../endpoint/post-json.ts';
import type { RpcObserver } from '../endpoint/rpc-observer.ts';
import { isRecord } from './raw-block.ts';
import { retryAfterMs, Throttled } from '../endpoint/throttled.ts';
import { meansTooMuch, saysTooMuch, TooMuch, tooMuchOf } from '../endpoint/too-much.ts';
import { splitUrl } from '../endpoint/url-secrets.ts';

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

export interface RpcOptions {
  readonly url: string;
  /** What the endpoint is called in messages; never the URL, which may carry a key. */
  readonly name: string;
  readonly world: World;
  readonly fetch: typeof globalThis.fetch;
  readonly observer: RpcObserver | null;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface Rpc {
  readonly name: string;
  /**
   * The `result`. Throws NodeError where the node answers with an error, TooMuch where the answer is too large
   * or does not come in time, Outage for everything else.
   */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /** The results in the order asked; an error in one of them is thrown. Split into batches of 100. */
  batch(requests: readonly RpcRequest[]): Promise<readonly unknown[]>;
}

/** The node understood the question and answered with an error of its own. */
export class NodeError extends Outage {
  readonly code: number;

  constructor(message: string, code: number) {
    super(message, { retryable: true });
    this.code = code;
  }

  /** Whether the node looked at what was asked and it failed; else it did not serve the request at all. */
  get isOfTheCall(): boolean {
    return !notServed.has(this.code);
  }
}

/** JSON-RPC's own code for a method that the node does not have. */
export const methodNotFound = -32601;

const limitExceeded = -32005;
// Requests that the node could not read, has no method for, or had enough of.
const notServed = new Set([-32700, -32600, methodNotFound, limitExceeded, 429]);
const throttled = new Set([429, 503]);
const maxBatch = 100;
/** Blocks and traces take more for each bracket, comma and colon; a body of nothing else would take seconds to parse. */
const bytesOfToken = 8;

/** An endpoint; nothing is sent until it is asked. Throws Outage, not retryable, where the URL is not one. */
export function createRpc(options: RpcOptions): Rpc {
  const target = splitUrl(options.url);
  let lastId = 0;

  const exchange = (method: string, body: string): Promise<unknown> =>
    postJson(
      { ...options, target, method, url: target.url, headers: target.headers, body },
      ({ status, text, retryAfter }) => {
        if (throttled.has(status)) {
          const askedMs = retryAfterMs(retryAfter, options.world.nowMs());
          throw new Throttled(`wants to be asked less often (HTTP ${status})`, askedMs);
        }
        if (meansTooMuch(status)) throw tooMuchOf(status);
        if (status < 200 || status > 299) throw new Outage(`answered HTTP ${status}`, { retryable: true });
        return parseJson(text, { maxTokens: options.maxBodyBytes / bytesOfToken });
      },
    );

  async function sendBatch(requests: readonly RpcRequest[]): Promise<readonly unknown[]> {
    const firstId = lastId + 1;
    lastId += requests.length;
    const body = requests.map(({ method, params }, offset) => ({
      jsonrpc: '2.0',
      id: firstId + offset,
      method,
      params,
    }));
    const answer = await exchange(requests[0]?.method ?? 'batch', JSON.stringify(body));
    if (!Array.isArray(answer)) {
      if (isRecord(answer) && isRecord(answer['error'])) throw nodeError(answer['error'], target.mask);
      throw malformed('answered a batch with something else');
    }
    return inOrder(answer, requests.length, firstId, target.mask);
  }

  return {
    name: options.name,
    async call(method, params) {
      const id = ++lastId;
      const answer = await exchange(method, JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return resultOf(answer, id, target.mask);
    },
    async batch(requests) {
      const results: unknown[] = [];
      for (let start = 0; start < requests.length; start += maxBatch) {
        results.push(...(await sendBatch(requests.slice(start, start + maxBatch))));
      }
      return results;
    },
  };
}

function inOrder(
  answers: readonly unknown[],
  count: number,
  firstId: number,
  mask: (text: string) => string,
): readonly unknown[] {
  if (answers.length !== count) throw malformed(`answered ${answers.length} of ${count} requests of a batch`);
  const byId = new Map<unknown, unknown>();
  for (const answer of answers) if (isRecord(answer)) byId.set(answer['id'], answer);
  const results: unknown[] = [];
  for (let id = firstId; id < firstId + count; id++) {
    const answer = byId.get(id);
    if (answer === undefined) throw malformed('answered a batch with the id of another request');
    results.push(resultOf(answer, id, mask));
  }
  return results;
}

function resultOf(answer: unknown, id: number, mask: (text: string) => string): unknown {
  if (!isRecord(answer)) throw malformed('answered with something that is no JSON-RPC answer');
  const error = answer['error'];
  // A node that could not read the request answers with the id null; its error says more than the id would.
  if (isRecord(error) && (answer['id'] === id || answer['id'] === null)) throw nodeError(error, mask);
  if (answer['id'] !== id) throw malformed('answered with the id of another request');
  const result = answer['result'];
  if (result === undefined) throw malformed('answered with neither a result nor an error');
  return result;
}

function nodeError(error: Readonly<Record<string, unknown>>, mask: (text: string) => string): Outage {
  const code = typeof error['code'] === 'number' ? error['code'] : 0;
  const text = typeof error['message'] === 'string' ? mask(error['message']) : 'no message';
  const message = `answered error ${code}: ${text}`;
  const tooMuch = saysTooMuch(text);
  return tooMuch === null ? new NodeError(message, code) : new TooMuch(message, tooMuch);
}

function malformed(reason: string): Outage {
  return new Outage(reason, { retryable: true });
}
