// The server of the payment pages: public, read-only but for the choice of a currency, and apart from the API.
import { Bug } from '@ducat/core/assert';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { limitConnections } from '../../http/connection-limit.ts';
import { createRateLimit } from '../../http/rate-limit.ts';
import { addressKey } from '../../http/address-key.ts';
import { mountAssets } from './assets.ts';
import { mountCheckout } from './checkout-routes.ts';
import { createLiveOrders, type LiveOrders } from './live-orders.ts';
import { createTransferFees } from './transfer-fees.ts';
import { mountPictures } from './pictures.ts';
import { pageHeaders } from './page-headers.ts';
import type { PagesDeps } from './port.ts';

/** How many addresses each rate limit remembers. */
const MAX_PACED = 20_000;
/** A choice is a few bytes. */
const MAX_BODY_BYTES = 1_024;

export interface Pages {
  readonly app: FastifyInstance;
  readonly live: LiveOrders;
}

/** Builds the server without listening. */
export function createPages(deps: PagesDeps): Pages {
  const { limits } = deps;
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: 20_000,
    keepAliveTimeout: 30_000,
    // A text that is too long for a trade_no is answered as an unknown order, not as another error.
    routerOptions: { maxParamLength: 16_384 },
    trustProxy: limits.trustedProxies.length > 0 ? [...limits.trustedProxies] : false,
    return503OnClosing: false,
    forceCloseConnections: true,
  });
  const connections = limitConnections(app.server, limits);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  const base = new URL(deps.checkoutUrl).pathname.replace(/\/+$/, '');
  const live = createLiveOrders(deps);
  guard(app, base, deps);
  answerTrouble(app, base, deps);
  mountAssets(app, base, deps.renderer.assetsFolder);
  mountPictures(app, base, deps);
  mountCheckout(app, base, { ...deps, live, fees: createTransferFees(deps), connections });
  return { app, live };
}

/** Limits the rate of requests that read the database; files from memory are not limited. */
function guard(app: FastifyInstance, base: string, { limits, world }: PagesDeps): void {
  const files = ['assets', 'logos', 'accent'].map((folder) => `${base}/${folder}/`);
  const perAddress = createRateLimit(limits.perAddress, MAX_PACED);
  const choices = createRateLimit(limits.choices, MAX_PACED);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' });
    if (files.some((folder) => request.url.startsWith(folder))) return;
    const key = addressKey(request.ip);
    const nowMs = world.nowMs();
    const waitS = perAddress.take(key, nowMs) || (request.method === 'POST' ? choices.take(key, nowMs) : 0);
    if (waitS === 0) return;
    await reply.code(429).header('retry-after', waitS).type('text/plain').send(`Try again in ${waitS} s.`);
  });
}

/** One plain page for everything that does not exist, so that the answers cannot be distinguished. */
function answerTrouble(app: FastifyInstance, base: string, deps: PagesDeps): void {
  const notice = (kind: 'unknown' | 'trouble', request: FastifyRequest, reply: FastifyReply) => {
    const how = { base, language: '', acceptLanguage: request.headers['accept-language'] ?? '' };
    reply.headers(pageHeaders('none', [])).type('text/html; charset=utf-8');
    return reply.code(kind === 'unknown' ? 404 : 503).send(deps.renderer.notice(kind, how));
  };
  app.setNotFoundHandler((request, reply) => notice('unknown', request, reply));
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode < 500)
      return reply.code(statusCode).type('text/plain').send('The request cannot be read.');
    deps.logger.error({ err: error }, 'a page failed');
    if (error instanceof Bug) deps.onBug(error);
    return notice('trouble', request, reply);
  });
}
