// The record of all webhook events, keyed by the `type` field of their bodies.
import type { WebhookEvent } from '../event.ts';
import type { Fitting } from '../fields/schema-for.ts';
import { payment } from './payment.ts';
import { transfer } from './transfer.ts';
import { qrPayment } from './qr-payment.ts';

/** All webhook events by type. A record over `EventType` that lacks one does not compile. */
export const events = {
  PAYMENT: payment,
  TRANSFER: transfer,
  QR_PAYMENT: qrPayment,
} as const satisfies Record<string, WebhookEvent>;

/** The `type` of a webhook body. */
export type EventType = keyof typeof events;

/** The body of a webhook of a type. */
export type EventBodyOf<Type extends EventType> = Fitting<(typeof events)[Type]['body']>;
