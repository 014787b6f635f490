// The common part of all ready handlers: verify, hand over, and choose the answer.
import { webhookDelivery } from '../generated/webhook-delivery.ts';
import {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookKeys,
  WebhookVerificationError,
} from '../verify-webhook.ts';

/** How a handler receives webhooks. */
export interface WebhookHandlerOptions extends WebhookKeys {
  /**
   * Called with each verified webhook. When it returns, the gateway is answered `Success`; when it throws, the
   * gateway sends the event again later. It may be called again for the same event: act once per `event.key`.
   */
  readonly onEvent: (event: WebhookEvent) => void | Promise<void>;
  /** Called, for the log, with each error: of a refused webhook, of a body that did not arrive, or thrown by `onEvent`. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Throws a TypeError that names the missing option, already when the handler is made and not at the first webhook. */
export function checkHandlerOptions(options: WebhookHandlerOptions | undefined): void {
  if (typeof options?.onEvent !== 'function') throw new TypeError('onEvent must be a function');
  const { appKey, keys = [] } = options;
  if ([appKey, ...keys].every((key) => typeof key !== 'string' || key === '')) {
    throw new TypeError('appKey must be a string that is not empty, or keys a list of such');
  }
}

/** The answer to the gateway, as text. */
export interface WebhookAnswer {
  readonly status: 200 | 400 | 405 | 413 | 500;
  readonly body: string;
}

/** The largest webhook body that a handler reads. */
export const maxWebhookBytes = 65536;

/** The answer to a body over the limit. */
export const tooLarge: WebhookAnswer = { status: 413, body: 'body too large' };

/** The answer to anything but POST. */
export const notPost: WebhookAnswer = { status: 405, body: 'POST only' };

/** Verifies one webhook, hands it over and gives the answer; it throws only when `onError` does. */
export async function receiveWebhook(
  options: WebhookHandlerOptions,
  received: Pick<ReceivedWebhook, 'headers' | 'rawBody'>,
): Promise<WebhookAnswer> {
  const { appId, appKey, keys, now } = options;
  try {
    const event = verifyWebhook({ appId, appKey, keys, now, ...received });
    await options.onEvent(event);
    return { status: 200, body: webhookDelivery.successBody };
  } catch (error) {
    options.onError?.(error);
    if (error instanceof WebhookVerificationError) return { status: 400, body: `refused: ${error.reason}` };
    return { status: 500, body: 'not processed' };
  }
}
