// A ready webhook handler for servers in the fetch style: Request in, Response out.
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

/** Handles a Request as a webhook: `export const POST = fetchWebhook({ appId, appKey, onEvent })`. */
export function fetchWebhook(options: WebhookHandlerOptions): (request: Request) => Promise<Response> {
  checkHandlerOptions(options);
  return async (request) => {
    const answer = await answerTo(options, request);
    return new Response(answer.body, { status: answer.status, headers: { 'content-type': 'text/plain' } });
  };
}

async function answerTo(options: WebhookHandlerOptions, request: Request): Promise<WebhookAnswer> {
  if (request.method !== 'POST') return notPost;
  let rawBody: Uint8Array | undefined;
  try {
    rawBody = await readLimited(request.body, maxWebhookBytes);
  } catch (error) {
    options.onError?.(error);
    return { status: 400, body: 'body not received' };
  }
  return rawBody === undefined ? tooLarge : receiveWebhook(options, { headers: request.headers, rawBody });
}
