// The entry of the SDK for receiving webhooks: the check itself, and ready handlers around it.

// The package's entry exports everything for webhooks in one place; the files behind it can be read one by one.
export { expressWebhook } from './handlers/express.ts';
export { type FastifyWebhookOptions, fastifyWebhook } from './handlers/fastify.ts';
export { fetchWebhook } from './handlers/fetch.ts';
export { nodeWebhook } from './handlers/node-http.ts';
export type { WebhookHandlerOptions } from './handlers/receive.ts';
export {
  type ReceivedWebhook,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHeaders,
  type WebhookKeys,
  type WebhookProblem,
  WebhookVerificationError,
} from './verify-webhook.ts';
export type { PaymentBody } from './generated/types.ts';
