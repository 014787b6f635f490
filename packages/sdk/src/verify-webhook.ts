// Proves that a webhook is the gateway's, fresh and for this app, and gives it back typed.
import { DucatError } from './errors.ts';
import { type WebhookBodies, webhookTypes } from './generated/endpoints.ts';
import { headerNames, isTimestamp, isTimestampCurrent } from './generated/signature.ts';
import { isSignedBy } from './sign.ts';

/** What was wrong with a webhook. Only `type` can be the fault of this SDK, where it is older than the gateway. */
export type WebhookProblem = 'headers' | 'timestamp' | 'signature' | 'appid' | 'body' | 'event-type' | 'type';

/** A webhook that must not be acted on. */
export class WebhookVerificationError extends DucatError {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A verified webhook. */
export type WebhookEvent = {
  [Type in keyof WebhookBodies]: {
    readonly type: Type;
    /**
     * The same at every attempt of one event, and different for another event. It is made of signed fields
     * (trade_no and status, for a payment amount_collected too): keep it under a unique index to act once per event.
     */
    readonly key: string;
    /** X-Event-Id, for logs and support. It is outside the signature, so never decide by it. */
    readonly eventId: string | undefined;
    readonly body: WebhookBodies[Type];
  };
}[keyof WebhookBodies];

/** Headers as node, Express and Fastify give them (a record), or as fetch does (an object with `get`). */
export type WebhookHeaders =
  | { readonly [name: string]: string | readonly string[] | undefined }
  | { get(name: string): string | null };

/** Which keys a webhook may be signed with. During a rotation, give the old and the new one in `keys`. */
export interface WebhookKeys {
  /** The AppId to insist on. Without it, header and body must still name the same app. */
  readonly appId?: string | undefined;
  readonly appKey?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  /** The time now in milliseconds since 1970; the machine's clock unless given. */
  readonly now?: (() => number) | undefined;
}

/** A webhook as it was received. */
export interface ReceivedWebhook extends WebhookKeys {
  readonly headers: WebhookHeaders;
  /** The body as it was received, before any parser: bytes, or text decoded as UTF-8. */
  readonly rawBody: Uint8Array | string;
}

/** Verifies a webhook; throws a `WebhookVerificationError` unless everything about it is right. */
export function verifyWebhook(webhook: ReceivedWebhook): WebhookEvent {
  const body = bytesOf(webhook.rawBody);
  const appId = theHeader(webhook.headers, headerNames.appId);
  const timestamp = theHeader(webhook.headers, headerNames.timestamp);
  const signature = theHeader(webhook.headers, headerNames.signature);
  const eventType = theHeader(webhook.headers, headerNames.eventType);
  if (!isTimestamp(timestamp)) fail('timestamp', `${headerNames.timestamp} is not ten digits`);
  const nowSeconds = (webhook.now ?? Date.now)() / 1000;
  if (!isTimestampCurrent(timestamp, nowSeconds)) {
    fail('timestamp', `${headerNames.timestamp} is over two minutes away from this machine's clock`);
  }
  // Every key is tried, whichever fits, so that the time taken says nothing about the keys.
  const fits = keysOf(webhook).map((key) => isSignedBy(body, timestamp, key, signature));
  if (!fits.includes(true))
    fail('signature', `${headerNames.signature} does not fit the body and the AppKey`);
  const parsed = parse(body);
  if (parsed.appid !== appId || (webhook.appId !== undefined && webhook.appId !== appId)) {
    fail('appid', 'The webhook is for another app');
  }
  if (parsed.status !== eventType)
    fail('event-type', `${headerNames.eventType} is not the status in the body`);
  return eventOf(parsed, headerValues(webhook.headers, headerNames.eventId)[0]);
}

function eventOf(body: WebhookBodies[keyof WebhookBodies], eventId: string | undefined): WebhookEvent {
  const key = `${body.trade_no}:${body.status}`;
  switch (body.type) {
    case 'PAYMENT':
      return { type: body.type, key: `${key}:${body.amount_collected}`, eventId, body };
    case 'TRANSFER':
      return { type: body.type, key, eventId, body };
    case 'QR_PAYMENT':
      return { type: body.type, key, eventId, body };
  }
}

function fail(reason: WebhookProblem, message: string, options?: ErrorOptions): never {
  throw new WebhookVerificationError(reason, message, options);
}

function keysOf(webhook: WebhookKeys): readonly string[] {
  const keys = [...(webhook.keys ?? []), ...(webhook.appKey === undefined ? [] : [webhook.appKey])];
  if (keys.length === 0 || keys.length > 10 || keys.some((key) => typeof key !== 'string' || key === '')) {
    throw new TypeError('Give appKey, or one to ten keys; none may be empty');
  }
  return keys;
}

function bytesOf(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return Buffer.from(rawBody, 'utf8');
  if (rawBody instanceof Uint8Array) return rawBody;
  throw new TypeError('rawBody must be the body before any JSON parser: a Buffer, a Uint8Array or a string');
}

function theHeader(headers: WebhookHeaders, name: string): string {
  const [value, second] = headerValues(headers, name);
  if (value === undefined || value === '') fail('headers', `${name} is missing`);
  // Node and fetch join repeated headers with a comma; none of our values has one.
  if (second !== undefined || value.includes(',')) fail('headers', `${name} is there more than once`);
  return value;
}

/** All values of a header, whatever the case of its name. */
function headerValues(headers: WebhookHeaders, name: string): readonly string[] {
  if (hasGet(headers)) {
    const value = headers.get(name);
    return value === null ? [] : [value];
  }
  const wanted = name.toLowerCase();
  return Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === wanted && value !== undefined ? value : [],
  );
}

function hasGet(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return 'get' in headers && typeof headers.get === 'function';
}

/**
 * Parses the signed bytes. The gateway vouches for the fields, so only those that distinguish the kinds of webhooks are
 * checked.
 */
function parse(body: Uint8Array): WebhookBodies[keyof WebhookBodies] {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (cause) {
    fail('body', 'The body is not JSON', { cause });
  }
  if (!isWebhookBody(value)) fail('body', 'The body is not that of a webhook');
  const type: string = value.type;
  if (!webhookTypes.some((known) => known === type)) {
    fail('type', `This version does not know webhooks of type ${JSON.stringify(type)}`);
  }
  return value;
}

function isWebhookBody(value: unknown): value is WebhookBodies[keyof WebhookBodies] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return ['type', 'appid', 'trade_no', 'status'].every((name) => typeof fields.get(name) === 'string');
}
