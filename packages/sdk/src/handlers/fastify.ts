// A ready webhook route for Fastify, as a plugin with a body parser of its own that keeps the raw bytes.
import type { IncomingHttpHeaders } from 'node:http';
import {
  checkHandlerOptions,
  maxWebhookBytes,
  receiveWebhook,
  type WebhookHandlerOptions,
} from './receive.ts';

/** Options of the plugin: the path of the route, and the options of every handler. */
export interface FastifyWebhookOptions extends WebhookHandlerOptions {
  /** The path of the route, for example /ducat/webhook. */
  readonly path: string;
}

/** The part of a Fastify instance that is used; Fastify's own type fits it. */
export interface FastifyLike {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parser: (request: unknown, body: Buffer, done: (error: Error | null, body?: unknown) => void) => void,
  ): unknown;
  post(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<unknown>,
  ): unknown;
}

/** The part of a Fastify request that is used. */
export interface FastifyRequestLike {
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The part of a Fastify reply that is used. */
export interface FastifyReplyLike {
  code(status: number): FastifyReplyLike;
  type(contentType: string): FastifyReplyLike;
}

/**
 * A plugin that adds one webhook route: `app.register(fastifyWebhook({ path, appId, appKey, onEvent }))`.
 * Its body parser is registered inside the plugin only; the JSON parser of the other routes stays as it is.
 */
export function fastifyWebhook(options: FastifyWebhookOptions): (scope: FastifyLike) => Promise<void> {
  checkHandlerOptions(options);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: maxWebhookBytes },
      (_request, body, done) => done(null, body),
    );
    scope.post(options.path, async (request, reply) => {
      const rawBody = request.body instanceof Uint8Array ? request.body : new Uint8Array();
      const answer = await receiveWebhook(options, { headers: request.headers, rawBody });
      reply.code(answer.status).type('text/plain');
      return answer.body;
    });
  };
}
