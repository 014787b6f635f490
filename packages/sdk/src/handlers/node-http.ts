// A ready webhook handler for node:http and everything that is built like it.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readLimited } from '../read-limited.ts';
import {
  checkHandlerOptions,
  maxWebhookBytes,
  notPost,
  receiveWebhook,
  tooLarge,
  type WebhookAnswer,
  type WebhookHandlerOptions,
} from './receive.ts';

/** Handles a request of node:http as a webhook: `createServer(nodeWebhook({ appId, appKey, onEvent }))`. */
export function nodeWebhook(
  options: WebhookHandlerOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  checkHandlerOptions(options);
  return (request, response) => {
    // Only an onError that throws can fail here; without an answer the gateway tries again.
    handleNodeWebhook(options, request, response).catch(() => response.destroy());
  };
}

/** The same as a promise; `rawBody` is given where something has read the body already. */
export async function handleNodeWebhook(
  options: WebhookHandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  rawBody?: Uint8Array,
): Promise<void> {
  const answer = await answerTo(options, request, rawBody);
  response.writeHead(answer.status, {
    'content-type': 'text/plain',
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
  // What was not read of an oversized body is let through unseen, so that the answer reaches its sender.
  request.resume();
}

async function answerTo(
  options: WebhookHandlerOptions,
  request: IncomingMessage,
  given: Uint8Array | undefined,
): Promise<WebhookAnswer> {
  if (request.method !== 'POST') return notPost;
  const { headers } = request;
  if (given) return receiveWebhook(options, { headers, rawBody: given });
  let rawBody: Uint8Array | undefined;
  try {
    // Destroying an oversized request would cut the connection before the answer is out.
    rawBody = await readLimited(request.iterator({ destroyOnReturn: false }), maxWebhookBytes);
  } catch (error) {
    options.onError?.(error);
    return { status: 400, body: 'body not received' };
  }
  return rawBody === undefined ? tooLarge : receiveWebhook(options, { headers, rawBody });
}
