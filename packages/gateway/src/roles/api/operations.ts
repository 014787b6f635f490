// Mounts every operation of the contract on its two paths: authenticate, read, handle, answer.
import type { Code } from '@ducat/contract/codes';
import type { Endpoint } from '@ducat/contract/endpoint';
import { type EndpointName, endpoints } from '@ducat/contract/endpoints/registry';
import { refusalEnvelope, successEnvelope } from '@ducat/contract/envelope';
import { idempotencyHeader } from '@ducat/contract/idempotency-key';
import { toLegacyData } from '@ducat/contract/legacy';
import { readRequest } from '@ducat/contract/requests/read-request';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiDeps } from './api-deps.ts';
import { type Authenticated, authenticate, type AuthDeps, lastProvenKey } from './auth/auth.ts';
import { callNameOf } from './auth/call-name.ts';
import { handlers } from './endpoints/handlers.ts';
import type { Handler } from './handler.ts';
import { isInRanges } from '../../http/address-ranges.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import type { OrderBatches } from './orders/order-batches.ts';
import type { FillPool } from './orders/pool-filler.ts';
import { wireCodes } from './present.ts';
import type { ProvenKey, SignedAnswers } from './auth/signed-answers.ts';
import { DatabaseAway } from './database-away.ts';
import { shuttingDown, TransportTrouble } from './trouble.ts';

/** What is known of a request when its answer is logged. */
export interface Noted {
  readonly operation: EndpointName;
  /** The app whose key signed the request. */
  readonly appId: string;
  readonly code: Code;
  /** The message of the answer. */
  readonly message: string;
  readonly tradeNo: string;
}

export interface OperationDeps {
  readonly api: ApiDeps;
  readonly auth: AuthDeps;
  /** The rate limit of each app. Only requests for an operation that the app signed use it up. */
  readonly perApp: RateLimit;
  readonly fillPool: FillPool;
  readonly orders: OrderBatches;
  readonly signed: SignedAnswers;
  readonly isDraining: () => boolean;
  /** Notes what was asked and answered, for the log line, the metrics and the log of calls. */
  readonly note: (request: FastifyRequest, what: Partial<Noted>) => void;
}

/** The paths of all operations, old and current. */
export const operationPaths: ReadonlySet<string> = new Set(
  Object.values(endpoints).flatMap((endpoint) => [endpoint.path, endpoint.legacyPath]),
);

export function mountOperations(app: FastifyInstance, deps: OperationDeps): void {
  // The cast only restates what the registry's type says: its keys are the names.
  for (const name of Object.keys(endpoints) as EndpointName[]) mount(app, name, deps);
}

function mount<Name extends EndpointName>(app: FastifyInstance, name: Name, deps: OperationDeps): void {
  for (const legacy of [false, true]) {
    const path = legacy ? endpoints[name].legacyPath : endpoints[name].path;
    app.post(path, async (request, reply) => {
      deps.note(request, { operation: name });
      requireExactPath(request, path);
      const body = bodyOf(request);
      return operate(name, legacy, { request, reply, body }, deps);
    });
  }
}

interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: Buffer;
}

async function operate<Name extends EndpointName>(
  name: Name,
  legacy: boolean,
  { request, reply, body }: Exchange,
  deps: OperationDeps,
): Promise<FastifyReply> {
  const endpoint = endpoints[name];
  const refused = (code: Exclude<Code, 0>, message: string, retryAfterS?: number) => {
    deps.note(request, { code, message });
    if (retryAfterS !== undefined) reply.header('retry-after', retryAfterS);
    return sendJson(reply, refusalEnvelope(code, message));
  };
  const asked = await whoAsks(endpoint, { request, body }, deps);
  if (!asked.ok) return refused(asked.code, asked.message);
  const { app } = asked.access;
  // mark: an-app-answers-where-its-merchant-says
  if (app.allowedRanges.length > 0 && !isInRanges(request.ip, app.allowedRanges))
    return refused(10006, `the app may not be used from ${request.ip}: its merchant lists other addresses`);
  const read = readRequest(endpoint, legacy, body);
  if (!read.ok) return refused(10003, read.message);
  const callName = callNameOf(request.raw.rawHeaders, endpoint);
  if (callName === null)
    return refused(10003, `${idempotencyHeader} must be 1 to 128 visible characters, once`);
  const waitS = deps.perApp.take(app.appId, deps.api.world.nowMs());
  if (waitS > 0) return refused(20009, `too many requests: try again in ${waitS} s`, waitS);
  const handler: Handler<Name> = handlers[name];
  const { api, fillPool, orders } = deps;
  const result = await handler({ app, deps: api, fillPool, orders, name: callName }, read.value);
  if (!result.ok) {
    const { code, message, retryAfterS } = result.refusal;
    return refused(wireCodes[code], message, retryAfterS);
  }
  const envelope = successEnvelope(legacy ? toLegacyData(result.value) : result.value);
  deps.note(request, { code: 0, message: envelope.msg, ...tradeNoOf(result.value) });
  return sendJson(reply, envelope);
}

/** The `trade_no` of an answer, where it has one. */
function tradeNoOf(data: object): { readonly tradeNo?: string } {
  return 'trade_no' in data && typeof data.trade_no === 'string' ? { tradeNo: data.trade_no } : {};
}

/** Authenticates the request. From then on its answer is signed. Throws where the gateway cannot go on with the request. */
async function whoAsks(
  endpoint: Endpoint,
  { request, body }: Pick<Exchange, 'request' | 'body'>,
  { auth, signed, isDraining, note }: OperationDeps,
): Promise<Authenticated> {
  const received = { rawHeaders: request.raw.rawHeaders, body };
  const prove = (proven: ProvenKey) => {
    signed.signWith(request, proven);
    note(request, { appId: proven.appId });
  };
  let asked: Authenticated;
  try {
    asked = await authenticate(received, endpoint, auth);
  } catch (error) {
    const proven = error instanceof DatabaseAway ? lastProvenKey(received, auth) : null;
    if (proven !== null) prove(proven);
    throw error;
  }
  if (asked.proven !== null) prove(asked.proven);
  if (asked.proven !== null && isDraining()) throw shuttingDown();
  return asked;
}

/** Answers with JSON as text, so that what is signed is what is sent. */
export function sendJson(reply: FastifyReply, value: object): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(value));
}

/** The router accepts escapes and queries. An operation is reached only by exactly its own path. */
function requireExactPath(request: FastifyRequest, path: string): void {
  if (request.raw.url !== path) throw new TransportTrouble(404, 10002, 'there is no operation at this path');
}

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*charset=("?)utf-8\2[ \t]*)?$/i;

/** The raw body; no body at all needs no content type. */
function bodyOf(request: FastifyRequest): Buffer {
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const type = request.headers['content-type'];
  if (type === undefined ? body.length > 0 : !JSON_TYPE.test(type)) {
    throw new TransportTrouble(415, 10003, 'content-type must be application/json');
  }
  return body;
}
