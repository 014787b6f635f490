// The signature text of requests, responses and webhooks: what is signed, and the headers that carry it.
// Generated from the contract by generate/generate.mjs; do not edit.

/** Header names, in the case in which we send them; they are compared without case. */
export const headerNames = {
  appId: 'X-Appid',
  timestamp: 'X-Timestamp',
  signature: 'X-Sign',
  /** Webhooks only: the status in the body. */
  eventType: 'X-EventType',
  /** Webhooks only: one value per event, the same at every attempt. */
  eventId: 'X-Event-Id',
} as const;

/** The hash of the signature, in the name that node:crypto and OpenSSL know. */
export const signatureHash = 'sha256';

/** How far, in seconds, a timestamp may lie from the receiver's clock, to either side. */
export const timestampWindowSeconds = 120;

/**
 * The signed message: the raw body bytes, then the timestamp, then the AppKey, both as UTF-8. The key of the
 * HMAC-SHA256 is the AppKey itself (UTF-8), its output 64 lower-case hexadecimal characters.
 */
export function signedBytes(body: Uint8Array, timestamp: string, appKey: string): Uint8Array {
  const tail = new TextEncoder().encode(signedTail(timestamp, appKey));
  const message = new Uint8Array(body.length + tail.length);
  message.set(body, 0);
  message.set(tail, body.length);
  return message;
}

/** What follows the body in the signed message, for a hash that takes its text in parts. */
export function signedTail(timestamp: string, appKey: string): string {
  return timestamp + appKey;
}

/** Whether a text is a timestamp as the wire writes it: exactly ten ASCII digits. */
export function isTimestamp(text: string): boolean {
  return /^[0-9]{10}$/.test(text);
}

/** Whether a timestamp is well-formed and within the window around `nowSeconds` (Unix seconds). */
export function isTimestampCurrent(timestamp: string, nowSeconds: number): boolean {
  return isTimestamp(timestamp) && Math.abs(Number(timestamp) - nowSeconds) <= timestampWindowSeconds;
}

/** Whether a text can be a signature: 64 hexadecimal characters. Upper case is accepted inbound. */
export function isSignature(text: string): boolean {
  return /^[0-9a-fA-F]{64}$/.test(text);
}

/** The timestamp text of a point in time given in Unix seconds. */
export function timestampText(nowSeconds: number): string {
  return String(Math.floor(nowSeconds)).padStart(10, '0');
}
