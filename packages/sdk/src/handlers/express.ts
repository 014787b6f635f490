// A ready webhook handler for Express: it needs the raw body, so it must come before express.json().
import type { IncomingMessage, ServerResponse } from 'node:http';
import { handleNodeWebhook } from './node-http.ts';
import { checkHandlerOptions, type WebhookHandlerOptions } from './receive.ts';

/** The part of an Express request that is used; Express's own type fits it. Some hosts keep the bytes in `rawBody`. */
type ExpressRequest = IncomingMessage & { body?: unknown; rawBody?: unknown };

/**
 * Handles a request of Express as a webhook: `app.post('/webhook', expressWebhook({ appId, appKey, onEvent }))`.
 * It reads the body itself, or takes the Buffer that express.raw() left. Where a JSON parser ran first, the raw bytes
 * are gone and nothing can be verified: the handler then passes on an error that says so.
 */
export function expressWebhook(
  options: WebhookHandlerOptions,
): (request: ExpressRequest, response: ServerResponse, next: (error?: unknown) => void) => void {
  checkHandlerOptions(options);
  return (request, response, next) => {
    void handle(options, request, response, next);
  };
}

async function handle(
  options: WebhookHandlerOptions,
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
): Promise<void> {
  try {
    const rawBody = [request.rawBody, request.body].find((body) => body instanceof Uint8Array);
    if (rawBody === undefined && request.readableEnded) throw new TypeError(parserRanBefore);
    await handleNodeWebhook(options, request, response, rawBody);
  } catch (error) {
    next(error);
  }
}

const parserRanBefore =
  'A body parser ran before the Ducat webhook handler, so the signed bytes are gone. Mount the handler before express.json(), or use express.raw({ type: () => true }) on its path.';
