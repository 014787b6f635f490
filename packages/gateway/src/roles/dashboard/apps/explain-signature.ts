// Why the signature of a request does not fit: signs the request with each usual mistake and compares the results.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import {
  isSignature,
  isTimestamp,
  isTimestampCurrent,
  signatureHash,
  signedBytes,
} from '@ducat/contract/signature';

export interface ExplainedRequest {
  readonly body: string;
  readonly timestamp: string;
  readonly signature: string;
}

type Explained = ResponseOf<'apps.check-signature'>;
type Mistake = Explained['mistakes'][number];

/** The current key is the first of `keys`. The answer holds no part of a key and no signature. */
export function explainSignature(
  { body, timestamp, signature }: ExplainedRequest,
  keys: readonly string[],
  now: number,
): Pick<Explained, 'fits_key' | 'mistakes'> {
  const fits = (made: Uint8Array | null) => made !== null && isSame(made, signature);
  const place = keys.findIndex((key) => fits(hmac(key, signedBytes(Buffer.from(body), timestamp, key))));
  const byForm: readonly (readonly [Mistake, boolean])[] = [
    ['timestamp-form', !isTimestamp(timestamp)],
    ['timestamp-old', isTimestamp(timestamp) && !isTimestampCurrent(timestamp, now)],
    ['signature-form', !isSignature(signature)],
  ];
  const byContent =
    place >= 0
      ? []
      : keys.flatMap((key) =>
          mistakesWith(key, { body, timestamp }).flatMap(([mistake, made]) => (fits(made) ? [mistake] : [])),
        );
  const mistakes = byForm.flatMap(([mistake, isMade]) => (isMade ? [mistake] : []));
  return {
    fits_key: place < 0 ? null : place === 0 ? 'current' : 'previous',
    mistakes: [...new Set([...mistakes, ...byContent])],
  };
}

/** The signature that each mistake leads to; null where the mistake cannot be made with this request. */
function mistakesWith(
  key: string,
  { body, timestamp }: Omit<ExplainedRequest, 'signature'>,
): readonly (readonly [Mistake, Uint8Array | null])[] {
  const signed = (text: string, time = timestamp) => hmac(key, signedBytes(Buffer.from(text), time, key));
  const compact = reserialised(body);
  return [
    ['newline-missing', signed(`${body}\n`)],
    ['newline-added', signed(body.replace(/\r?\n$/, ''))],
    ['line-ends', signed(body.replaceAll('\r\n', '\n'))],
    ['line-ends', signed(body.replaceAll(/\r?\n/g, '\r\n'))],
    ['other-json', compact === null ? null : signed(compact)],
    ['empty-body', signed('')],
    ['empty-body', signed('{}')],
    ['timestamp-missing', signed(body, '')],
    ['timestamp-milliseconds', signed(body, timestamp.slice(0, 10))],
    ['timestamp-milliseconds', signed(body, `${timestamp}000`)],
    ['order', hmac(key, Buffer.from(timestamp + body + key))],
    ['order', hmac(key, Buffer.from(key + body + timestamp))],
    ['order', hmac(key, Buffer.from(key + timestamp + body))],
    ['key-missing', hmac(key, Buffer.from(body + timestamp))],
    [
      'plain-hash',
      createHash(signatureHash)
        .update(body + timestamp + key)
        .digest(),
    ],
    ['key-decoded', hmac(Buffer.from(key, 'base64url'), Buffer.from(body + timestamp + key))],
  ];
}

function hmac(key: string | Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac(signatureHash, key).update(message).digest();
}

/** A signature in base64 counts as the same, because only its form is wrong. */
function isSame(made: Uint8Array, signature: string): boolean {
  const given = Buffer.from(signature, isSignature(signature) ? 'hex' : 'base64');
  return given.length === made.length && timingSafeEqual(given, made);
}

/** The body as a JSON library would write it; null where it is no JSON or is written that way already. */
function reserialised(body: string): string | null {
  try {
    const text = JSON.stringify(JSON.parse(body));
    return text === body ? null : text;
  } catch {
    return null;
  }
}
