// Says what is wrong with an answer, knowing only the document, the key and what was sent.
import Schema from 'typebox/schema';
import { type Answer, callerOf, signatureOf, type Target } from './exchange.ts';
import { isObject, type Json } from './operation.ts';
import type { FuzzRequest } from './request.ts';

/** A signed answer whose time is further from our clock counts as replayed. */
const MAX_SKEW_S = 120;
const AUTHENTICATION = [10006, 10007, 10008];
/** Messages of a gateway that is itself in trouble. No request may cause one. */
const OWN_TROUBLE = /^(?:operation failed|something the gateway depends on|the gateway is) /;
const TOO_FREQUENT = 20009;

/** The first thing that is wrong with the answer to this request, or null. */
export function checkAnswer(
  request: FuzzRequest,
  answer: Answer,
  target: Target,
  nowS: number,
): string | null {
  if (answer.status >= 500) return `status ${answer.status}`;
  const envelope = envelopeOf(answer);
  if (envelope === null || !Schema.Check(request.operation.answer, envelope)) return 'not a valid envelope';
  if (OWN_TROUBLE.test(String(envelope['msg']))) return 'the gateway is in trouble';
  return unsigned(request, answer, target, nowS) ?? wrongCode(request, answer.status, envelope);
}

function envelopeOf({ text }: Answer): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Checks that an answer is signed exactly where the caller has proven the AppKey, whatever the answer says. A fault of
 * the head and a body that is too large are refused before the key is checked, so their answers are not signed.
 */
function unsigned(
  { operation, fault }: FuzzRequest,
  answer: Answer,
  target: Target,
  nowS: number,
): string | null {
  const { appId, appKey } = callerOf(target, operation);
  const { headers, text } = answer;
  if (fault !== null || answer.status === 413) {
    return headers['x-sign'] === undefined ? null : 'the answer is signed, and nothing was proven';
  }
  const timestamp = String(headers['x-timestamp']);
  if (headers['x-appid'] !== appId) return 'the answer names no app';
  if (!/^\d{10}$/.test(timestamp) || Math.abs(Number(timestamp) - nowS) > MAX_SKEW_S)
    return 'the answer has no time';
  const expected = signatureOf(Buffer.from(text), timestamp, appKey);
  return headers['x-sign'] === expected ? null : 'the answer is not signed';
}

function wrongCode({ operation, body, fault }: FuzzRequest, status: number, envelope: Json): string | null {
  const code = Number(envelope['code']);
  const received = `code ${code} with status ${status}`;
  // A body that is too large is refused before anything else is checked.
  if (status === 413) return code === 10003 && !body.fits ? null : received;
  if (fault !== null) return fault.codes.includes(code) ? null : `${received} for ${fault.about}`;
  if (status !== 200) return `${received} for a signed request`;
  if (!body.fits) return code === 10003 ? null : `${received} for a body that does not fit`;
  const isUncalledFor = code === TOO_FREQUENT || AUTHENTICATION.includes(code);
  return isUncalledFor || !operation.codes.has(code) ? `${received} for a body that fits` : null;
}
