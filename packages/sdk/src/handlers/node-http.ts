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
    // Only an `onError` that throws can fail here. The connection is then closed without an answer, so the gateway
    // retries.
    handleNodeWebhook(options, request, response).catch(() => response.destroy());
  };
}

/** Does the same for one request, as a promise. `rawBody` is given where another parser has read the body already. */
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
  // The unread rest of an oversized body is received and dropped, so that the answer reaches the sender.
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
    // Destroying an oversized request would close the connection before the answer is sent.
    rawBody = await readLimited(request.iterator({ destroyOnReturn: false }), maxWebhookBytes);
  } catch (error) {
    options.onError?.(error);
    return { status: 400, body: 'body not received' };
  }
  return rawBody === undefined ? tooLarge : receiveWebhook(options, { headers, rawBody });
}
