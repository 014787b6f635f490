// The line of one call in the log: short texts without secrets, and the request itself where the call was refused.
import type { AppAccess } from '../../../keys/app-keys.ts';
import { headerNames } from '@ducat/contract/signature';
import type { ApiCall, KeptRequest } from '../../../db/tables/api-calls.ts';
import { keyThatSigned } from '../auth/sign.ts';
import { singleHeader } from '../auth/single-headers.ts';
import type { AnsweredCall } from './answered-call.ts';
import { hideCodes, hideKeys } from './hide-secrets.ts';

/** Characters of a body; PostgreSQL compresses values above 2 kB. */
const MAX_BODY = 4_096;
const MAX_MESSAGE = 500;
const MAX_PATH = 120;
const MAX_NAME = 128;
/** The largest integer of PostgreSQL. Only a clock that was corrected during the call makes a call this long. */
const MAX_DURATION_MS = 2 ** 31 - 1;
/** The longest values that the signature debugger takes. */
const MAX_TIMESTAMP = 32;
const MAX_SIGNATURE = 256;

/** `access` is null where the keys of the app are not at hand: then the request, which could contain a key, is not kept. */
export function lineOf(
  call: AnsweredCall,
  access: AppAccess | null,
  id: Pick<ApiCall, 'callId' | 'atMs'>,
): ApiCall {
  const keys = access?.keys ?? [];
  const short = (text: string, most: number) => cut(plain(hideKeys(text, keys)), most);
  const name = (text: unknown) => (typeof text === 'string' && text !== '' ? short(text, MAX_NAME) : null);
  const [path = ''] = call.url.split('?', 1);
  const named = call.body === null ? {} : namesIn(call.body);
  return {
    ...id,
    appId: call.appId,
    operation: call.operation ?? 'other',
    path: short(`${call.method} ${path}`, MAX_PATH),
    httpStatus: call.httpStatus,
    code: call.code,
    message: short(call.message, MAX_MESSAGE),
    durationMs: durationOf(call),
    address: call.address,
    requestId: short(call.requestId, MAX_NAME),
    bodyBytes: call.body?.length ?? 0,
    isProven: call.isProven,
    outTradeNo: name(named['out_trade_no']),
    tradeNo: name(named['trade_no']) ?? call.tradeNo,
    calls: 1,
    kept: call.code === 0 || access === null ? null : keptOf(call, keys),
  };
}

export function durationOf({ durationMs }: AnsweredCall): number {
  return Math.min(Math.max(0, durationMs), MAX_DURATION_MS);
}

function keptOf(
  { rawHeaders, body, isProven, operation }: AnsweredCall,
  keys: readonly string[],
): KeptRequest {
  const timestamp = singleHeader(rawHeaders, headerNames.timestamp);
  const signature = singleHeader(rawHeaders, headerNames.signature);
  const header = (text: string | null, most: number) =>
    text === null ? null : cut(plain(hideKeys(text, keys)), most);
  const sentAt = header(timestamp, MAX_TIMESTAMP);
  // For a body that was not read, it is unknown whether the signature fits.
  if (body === null)
    return { timestamp: sentAt, signature: null, signatureFits: false, body: '', bodyIs: 'cut' };
  const signatureFits =
    isProven ||
    (timestamp !== null && signature !== null && keyThatSigned(body, timestamp, signature, keys) !== null);
  return {
    timestamp: sentAt,
    signature: signatureFits ? null : header(signature, MAX_SIGNATURE),
    signatureFits,
    // A path that is no operation may have been meant for the one that takes a code.
    ...keptBody(body, keys, operation === null || operation === 'create-payout'),
  };
}

/** Secrets are hidden before the text is cut, so that none is cut in two. */
function keptBody(
  body: Uint8Array,
  keys: readonly string[],
  hasCode: boolean,
): Pick<KeptRequest, 'body' | 'bodyIs'> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length);
  const shown = plain(hideCodes(hideKeys(bytes.toString('utf8'), keys), hasCode));
  const isSame = Buffer.from(shown).equals(bytes);
  return {
    body: cut(shown, MAX_BODY),
    bodyIs: isSame ? (shown.length > MAX_BODY ? 'cut' : 'whole') : 'changed',
  };
}

/** Cuts a text, as a copy: a slice would keep the whole text in memory. */
function cut(text: string, most: number): string {
  return text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();
}

/** Replaces NUL characters, which PostgreSQL does not accept in a text. */
function plain(text: string): string {
  return text.replaceAll('\0', '\u{fffd}');
}

/** The fields of a body; none where the body is no JSON object. */
function namesIn(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(
      Buffer.from(body.buffer, body.byteOffset, body.length).toString('utf8'),
    );
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
