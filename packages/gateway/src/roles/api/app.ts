// The API's server: limits, request ids, signed answers, the operations, and health, docs and logos beside them.
import { METHODS, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { refusalEnvelope } from '@ducat/contract/envelope';
import { bodyLimits } from '@ducat/contract/requests/strict-json';
import { headerNames } from '@ducat/contract/signature';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { newRequestId } from '../../runtime/ids.ts';
import type { World } from '../../runtime/world.ts';
import type { ApiDeps } from './api-deps.ts';
import { addressKey } from '../../http/address-key.ts';
import { limitConnections } from '../../http/connection-limit.ts';
import { type CallLog, createCallLog } from './call-log/call-log.ts';
import { watchDatabase } from './database-away.ts';
import { mountDocs } from './docs/mount-docs.ts';
import { mountHealth } from './health.ts';
import { mountLogos } from './logos/mount-logos.ts';
import { closeLingering, endLingering } from '../../http/lingering-close.ts';
import { mountOperations, type Noted, operationPaths, sendJson } from './operations.ts';
import { createOrderBatches } from './orders/order-batches.ts';
import { createPoolFiller } from './orders/pool-filler.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { singleHeader } from './auth/single-headers.ts';
import { installSignedAnswers } from './auth/signed-answers.ts';
import { isBug, shuttingDown, troubleOf } from './trouble.ts';
import { createOutageLog } from './outage-log.ts';
import { DatabaseAway } from './database-away.ts';

/** The most apps, and network addresses, whose rate limit is remembered. */
const MAX_PACED = 20_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 20_000;
const KEEP_ALIVE_MS = 30_000;
/** A connection without traffic for this time is cut, even while an answer waits for the client to read it. */
const STUCK_MS = 60_000;
const MAX_HEADER_BYTES = 16_384;
const INBOUND_REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

/** What is noted of a request, with the time at which it began. */
interface Timed extends Partial<Noted> {
  readonly startedAtMs: number;
}

/** Builds the server without listening. `close()` lets running requests end and answers new ones with 503. */
export function createApiApp(given: ApiDeps): FastifyInstance {
  const watch = watchDatabase(given.world);
  const deps: ApiDeps = {
    ...given,
    reader: watch.reader(given.reader),
    transact: watch.transact(given.transact),
    appKeys: watch.appKeys(given.appKeys),
  };
  const app = createServer(deps);
  const noted = new WeakMap<FastifyRequest, Timed>();
  const note = (request: FastifyRequest, what: Partial<Noted>) => {
    const known = noted.get(request);
    if (known === undefined) noted.set(request, { startedAtMs: deps.world.nowMs(), ...what });
    else Object.assign(known, what);
  };

  takeRawBodies(app);
  const signed = installSignedAnswers(app, deps.world);
  const isDraining = guard(app, deps, note);
  answerTrouble(app, deps, note);
  // No call waits for the log of calls, so its transactions are not watched for a silent database.
  const calls = createCallLog({ ...deps, transact: given.transact });
  app.addHook('onResponse', async (request, reply) =>
    report(request, reply, noted.get(request), deps, calls),
  );
  app.addHook('onClose', () => calls.close());
  const perApp = createRateLimit(deps.limits.perApp, MAX_PACED);
  const auth = { appKeys: deps.appKeys, world: deps.world };
  const fillPool = createPoolFiller(deps);
  const orders = createOrderBatches({ ...given, fillPool, watched: (work) => watch.watched(work) });
  mountOperations(app, { api: deps, auth, perApp, fillPool, orders, signed, isDraining, note });
  mountHealth(app, deps);
  mountDocs(app, { ...deps.docs, publicUrl: deps.publicUrl });
  mountLogos(app, deps.catalogue);
  return app;
}

type Note = (request: FastifyRequest, what: Partial<Noted>) => void;

function createServer({ limits, world }: ApiDeps): FastifyInstance {
  const app = Fastify({
    logger: false,
    bodyLimit: bodyLimits.maxBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionTimeout: STUCK_MS,
    http: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      connectionsCheckingInterval: 2_000,
    },
    trustProxy: limits.trustedProxies.length > 0 ? [...limits.trustedProxies] : false,
    requestIdHeader: false,
    genReqId: (request) => {
      const inbound = request.headers['x-request-id'];
      if (typeof inbound === 'string' && INBOUND_REQUEST_ID.test(inbound)) return inbound;
      return newRequestId(world);
    },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    rewriteUrl: ({ url = '/' }) => readableUrl(url),
    clientErrorHandler: (error, socket) => answerBrokenRequest(error, socket, world),
  });
  // Fastify wants a content type for QUERY before anything else. Here QUERY is one of the methods that no operation has.
  if (METHODS.includes('QUERY')) app.addHttpMethod('QUERY', { overrideExisting: true });
  limitConnections(app.server, limits);
  // With a maximum, Node drops further headers silently, and a header that came twice among them. Their bytes are limited.
  app.server.maxHeadersCount = 0;
  return app;
}

/** The router answers a broken %-escape by itself. With its % escaped, the URL is an unknown path like any other. */
function readableUrl(url: string): string {
  if (!url.includes('%')) return url;
  try {
    decodeURI(url);
    return url;
  } catch {
    return url.replaceAll('%', '%25');
  }
}

/** Every body is kept as the bytes that came, whatever its type: the signature is over bytes. */
function takeRawBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** What every request passes first: request id, draining, its address's rate limit. Returns whether the server drains. */
function guard(app: FastifyInstance, deps: ApiDeps, note: Note): () => boolean {
  const perAddress = createRateLimit(deps.limits.perAddress, MAX_PACED);
  let draining = false;
  app.addHook('preClose', async () => {
    draining = true;
  });
  app.addHook('onRequest', async (request, reply) => {
    note(request, {});
    reply.headers({
      'x-request-id': request.id,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
    if (draining) {
      reply.header('connection', 'close');
      // An operation authenticates the caller first, so that its answer can be signed.
      if (!isOperation(request)) throw shuttingDown();
    }
    if (request.raw.url === '/healthz') return;
    const retryAfterS = perAddress.take(addressKey(request.ip), deps.world.nowMs());
    if (retryAfterS === 0) return;
    const message = `too many requests from this address: try again in ${retryAfterS} s`;
    note(request, { code: 20009, message });
    reply.header('retry-after', retryAfterS);
    await sendJson(reply, refusalEnvelope(20009, message));
  });
  return () => draining;
}

function isOperation({ method, raw }: FastifyRequest): boolean {
  return method === 'POST' && operationPaths.has(raw.url ?? '');
}

function answerTrouble(app: FastifyInstance, deps: ApiDeps, note: Note): void {
  app.setNotFoundHandler((request, reply) => {
    const isMethodWrong = operationPaths.has(request.raw.url ?? '');
    if (isMethodWrong) reply.header('allow', 'POST');
    const code = 10002;
    const message = isMethodWrong ? 'every operation is a POST' : 'there is no operation at this path';
    note(request, { code, message });
    return sendJson(reply.code(isMethodWrong ? 405 : 404), refusalEnvelope(code, message));
  });
  const noteOutage = createOutageLog(deps.world, deps.logger);
  app.setErrorHandler((error, request, reply) => {
    const trouble = troubleOf(error, request.id);
    note(request, { code: trouble.code, message: trouble.message });
    if (error instanceof DatabaseAway) noteOutage(request.id, error);
    else if (trouble.level !== 'info') {
      deps.logger[trouble.level]({ requestId: request.id, err: error }, 'request failed');
    }
    if (isBug(error)) deps.onBug(error);
    if (trouble.httpStatus === 413) {
      closeLingering(request.raw.socket, deps.world);
      request.raw.resume();
    }
    return sendJson(reply.code(trouble.httpStatus), refusalEnvelope(trouble.code, trouble.message));
  });
}

function report(
  request: FastifyRequest,
  reply: FastifyReply,
  noted: Timed | undefined,
  deps: ApiDeps,
  calls: CallLog,
): void {
  const durationMs = deps.world.nowMs() - (noted?.startedAtMs ?? deps.world.nowMs());
  const { operation = 'other', appId, code = 0 } = noted ?? {};
  const httpStatus = reply.statusCode;
  deps.observer.answered({ operation, code, httpStatus, durationMs });
  deps.logger.info({ requestId: request.id, operation, appId, code, httpStatus, durationMs }, 'answered');
  const { rawHeaders, method = '', url = '' } = request.raw;
  const namedId = appId ?? singleHeader(rawHeaders, headerNames.appId);
  // A request that is neither an operation nor refused asks for a page, a picture or the health.
  if (namedId === null || (noted?.operation === undefined && code === 0)) return;
  calls.answered({
    appId: namedId,
    isProven: appId !== undefined,
    operation: noted?.operation ?? null,
    method,
    url,
    httpStatus,
    code,
    message: noted?.message ?? '',
    durationMs,
    address: request.ip,
    requestId: request.id,
    rawHeaders,
    body: bodyOf(request, noted),
    tradeNo: noted?.tradeNo ?? null,
  });
}

/** The body; null where it was not read. An operation that came without a body has an empty one. */
function bodyOf({ body }: FastifyRequest, noted: Timed | undefined): Buffer | null {
  if (Buffer.isBuffer(body)) return body;
  return noted?.operation === undefined ? null : Buffer.alloc(0);
}

/** Answers a request that is not even HTTP, or came too slowly. Such a request reaches no route. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket, world: World): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = brokenStatus[error.code ?? ''] ?? 400;
  const body = JSON.stringify(refusalEnvelope(10003, `request: ${STATUS_CODES[status] ?? 'not readable'}`));
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json; charset=utf-8`;
  const lengths = `content-length: ${Buffer.byteLength(body)}\r\nconnection: close`;
  endLingering(socket, world, `${head}\r\n${lengths}\r\n\r\n${body}`);
}

const brokenStatus: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
};
