// JSON-RPC over HTTP to one provider: it returns only complete answers that match their requests.
import { invalidAnswer } from '../rpc/invalid-answer.ts';
import { inChunks } from '../rpc/in-chunks.ts';
import { JsonTape, type Place } from '../rpc/json-tape.ts';
import { bytesPerJsonPart, maxAnswerBytes, requestsPerBatch, requestTimeoutMs } from '../rpc/limits.ts';
import { postJson, type ProviderAccess } from '../rpc/post-json.ts';
import { nodeError } from './node-error.ts';

export interface RpcRequest {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Where the `result` of an answer stands in its bytes. */
export interface RpcResult {
  readonly tape: JsonTape;
  readonly place: Place;
}

/**
 * Every method throws NodeError where the node answers with an error, AnswerTooLarge where the answer is too large or
 * does not come in time, Outage 'throttled' where the provider asks for a lower rate, else another Outage.
 */
export class JsonRpc {
  readonly #access: ProviderAccess;
  #lastId = 0;

  /** Sends nothing yet. */
  constructor(access: ProviderAccess) {
    this.#access = access;
  }

  /** The result; null where the node answers null, which means that it does not have what was asked for. */
  read(method: string, params: readonly unknown[], maxBytes = maxAnswerBytes): Promise<RpcResult | null> {
    const id = ++this.#lastId;
    return this.#post(method, { jsonrpc: '2.0', id, method, params }, maxBytes, (tape) => {
      const place = this.#resultOf(tape, 0, id);
      return tape.isNull(place) ? null : { tape, place };
    });
  }

  /** The result as JSON.parse makes it, for small answers. */
  async call(method: string, params: readonly unknown[]): Promise<unknown> {
    const answer = await this.read(method, params);
    if (answer === null) return null;
    const whole: { readonly result: unknown } = JSON.parse(answer.tape.bytes.toString());
    return whole.result;
  }

  /** The results in the order of the requests; throws where one of them is an error. */
  async batch(requests: readonly RpcRequest[], maxBytes = maxAnswerBytes): Promise<readonly RpcResult[]> {
    const results: RpcResult[] = [];
    for (const part of inChunks(requests, requestsPerBatch))
      results.push(...(await this.#sendBatch(part, maxBytes)));
    return results;
  }

  async #sendBatch(requests: readonly RpcRequest[], maxBytes: number): Promise<readonly RpcResult[]> {
    const firstId = this.#lastId + 1;
    this.#lastId += requests.length;
    const body = requests.map((request, offset) => ({ jsonrpc: '2.0', id: firstId + offset, ...request }));
    return this.#post(requests[0]?.method ?? '', body, maxBytes, (tape) => {
      // A node that refuses the whole batch answers with one error.
      if (!tape.isList(0)) this.#resultOf(tape, 0, firstId);
      const answers = tape.isList(0) ? (tape.items(0) ?? []) : [];
      if (answers.length !== requests.length)
        throw invalidAnswer(`answered ${answers.length} of ${requests.length} requests of a batch`);
      const byId = new Map(answers.map((answer) => [idOf(tape, answer), answer]));
      return requests.map((_, offset) => {
        const id = firstId + offset;
        return { tape, place: this.#resultOf(tape, byId.get(String(id)) ?? 0, id) };
      });
    });
  }

  #resultOf(tape: JsonTape, answer: Place, id: number): Place {
    const error = tape.field(answer, 'error');
    const ofRequest = idOf(tape, answer);
    // A node that could not read the request answers with a null id. Its error says more than the id would.
    const isOfThis = ofRequest === String(id) || (ofRequest === 'null' && tape.isObject(error));
    if (!isOfThis) throw invalidAnswer('answered with the id of another request');
    if (tape.isObject(error)) throw nodeError(tape, error, this.#access.target.mask);
    const result = tape.field(answer, 'result');
    if (result === -1) throw invalidAnswer('answered with neither a result nor an error');
    return result;
  }

  #post<T>(method: string, body: unknown, maxBytes: number, read: (tape: JsonTape) => T): Promise<T> {
    const { url } = this.#access.target;
    const request = { url, body: JSON.stringify(body), method, timeoutMs: requestTimeoutMs, maxBytes };
    return postJson(this.#access, request, (bytes) => read(new JsonTape(bytes, maxBytes / bytesPerJsonPart)));
  }
}

function idOf(tape: JsonTape, answer: Place): string {
  const id = tape.field(answer, 'id');
  return tape.isText(id) ? '' : tape.text(id);
}

/** A number as a JSON-RPC quantity. */
export function toQuantity(number: number): string {
  return `0x${number.toString(16)}`;
}
