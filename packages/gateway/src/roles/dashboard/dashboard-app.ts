// The server of the dashboard: its own origin, which alone may ask, its API, and its built pages.
import { bodyLimits } from '@ducat/contract/requests/strict-json';
import { Bug } from '@ducat/core/assert';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { addressKey, networkKey } from '../../http/address-key.ts';
import { limitConnections } from '../../http/connection-limit.ts';
import { type BucketSize, createRateLimit } from '../../http/rate-limit.ts';
import { Outage } from '../../runtime/outage.ts';
import { refusal } from './call.ts';
import { mountOperations, sendRefusal } from './mount-operations.ts';
import { commonHeaders } from './page-headers.ts';
import type { DashboardDeps } from './port.ts';
import { mountStaticFiles } from './static-files.ts';

/** How many addresses each rate limit remembers. */
const MAX_PACED = 20_000;
/** A whole network may make this many times as many attempts as one of its addresses. */
const NETWORK_SHARE = 4;
const JSON_TYPE = /^application\/json(?:; ?charset=utf-8)?$/i;
/** The operations by which passwords, codes and links can be guessed. */
const GUESSED =
  /^\/api\/(?:session\.(?:sign-in|enter-|step-up)|totp\.|passkeys\.(?:begin|add)|password\.|invitation\.|sign-up\.|password-link\.|setup-link\.)/;
/** The two operations by which a stranger can have a mail sent. */
const SIGN_UP = '/api/sign-up.begin';
const PASSWORD_LINK = '/api/password-link.begin';

/** Builds the server without listening. */
export function createDashboard(deps: DashboardDeps): FastifyInstance {
  const { limits } = deps;
  const app = Fastify({
    logger: false,
    // Also for unknown paths, which anybody may request. An operation may have a larger limit of its own.
    bodyLimit: bodyLimits.maxBytes,
    requestTimeout: 20_000,
    keepAliveTimeout: 30_000,
    trustProxy: limits.trustedProxies.length > 0 ? [...limits.trustedProxies] : false,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: true,
  });
  const connections = limitConnections(app.server, limits);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  guard(app, deps);
  answerTrouble(app, deps);
  mountOperations(app, deps, connections);
  mountStaticFiles(app, deps.filesFolder);
  return app;
}

/** Runs before anything is parsed: the rate limits of the network address, and for the API the origin of the page. */
function guard(app: FastifyInstance, { limits, world, url, faucetUrl }: DashboardDeps): void {
  const headers = commonHeaders(url, faucetUrl);
  const perAddress = createRateLimit(limits.perAddress, MAX_PACED);
  const attempts = createNetworkPace(limits.attempts);
  const signUps = createRateLimit(limits.signUps, MAX_PACED);
  const passwordLinks = createRateLimit(limits.passwordLinks, MAX_PACED);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers);
    const { ip } = request;
    const nowMs = world.nowMs();
    const path = request.routeOptions.url ?? '';
    const waitS =
      perAddress.take(addressKey(ip), nowMs) ||
      (GUESSED.test(path) ? attempts(ip, nowMs) : 0) ||
      (path === SIGN_UP ? signUps.take(networkKey(ip), nowMs) : 0) ||
      (path === PASSWORD_LINK ? passwordLinks.take(networkKey(ip), nowMs) : 0);
    const no = waitS > 0 ? tooMany(waitS) : request.method === 'POST' ? foreign(request, url) : null;
    if (no !== null) await sendRefusal(reply, no.refusal);
  });
}

/** A rate limit of each address and a wider one of its network. Returns the seconds to wait, 0 for none. */
function createNetworkPace(size: BucketSize): (ip: string, nowMs: number) => number {
  const { perSecond, burst } = size;
  const ofAddress = createRateLimit(size, MAX_PACED);
  const wider = { perSecond: perSecond * NETWORK_SHARE, burst: burst * NETWORK_SHARE };
  const ofNetwork = createRateLimit(wider, MAX_PACED);
  return (ip, nowMs) => ofAddress.take(addressKey(ip), nowMs) || ofNetwork.take(networkKey(ip), nowMs);
}

function tooMany(waitS: number) {
  return refusal('too-many', `too many requests: try again in ${waitS} s`, { retryAfterS: waitS });
}

/**
 * In some browsers a page of another origin can send a form or a text with our cookie. It can send neither our Origin nor
 * the content type of JSON.
 */
function foreign({ headers }: FastifyRequest, url: string) {
  // mark: dashboard-origin
  if (headers.origin !== url) return refusal('origin-refused', `the Origin must be ${url}`);
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    return refusal('origin-refused', 'only the dashboard itself may ask');
  return JSON_TYPE.test(headers['content-type'] ?? '')
    ? null
    : refusal('field-invalid', 'content-type must be application/json', { field: 'content-type' });
}

function answerTrouble(app: FastifyInstance, deps: DashboardDeps): void {
  app.setNotFoundHandler((_request, reply) =>
    sendRefusal(reply, refusal('unknown', 'there is no such address').refusal),
  );
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode < 500)
      return sendRefusal(reply, refusal('field-invalid', 'the request cannot be read').refusal);
    deps.logger.error({ err: error, url: request.url }, 'an operation of the dashboard failed');
    if (error instanceof Bug) deps.onBug(error);
    const isAway = error instanceof Outage;
    return sendRefusal(
      reply,
      isAway
        ? refusal('unavailable', 'this does not work right now; try again').refusal
        : refusal('trouble', 'this went wrong on our side; it is in the log').refusal,
    );
  });
}
