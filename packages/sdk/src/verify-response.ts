// Proves that the raw bytes of an answer are the gateway's before anything parses them.
import { ResponseVerificationError } from './errors.ts';
import { headerNames, isTimestampCurrent } from './generated/signature.ts';
import { isSignedBy } from './sign.ts';

/** An answer as it came from the network. */
export interface RawResponse {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly body: Uint8Array;
}

/** The app that the answer must be signed for. */
export interface Expected {
  readonly appId: string;
  readonly appKey: string;
}

/** Whether an answer carries any signature at all; a proxy's or a stranger's error page does not. */
export function isSigned(response: RawResponse): boolean {
  return response.header(headerNames.signature) !== null;
}

/**
 * Throws a `ResponseVerificationError` unless app and signature of an answer are right. The age of the answer is not
 * checked.
 */
export function verifyResponse(response: RawResponse, expected: Expected): void {
  const { appId, timestamp, signature } = headerNames;
  const values = {
    appId: response.header(appId),
    time: response.header(timestamp),
    sign: response.header(signature),
  };
  if (values.sign === null || values.time === null || values.appId === null) {
    throw new ResponseVerificationError(
      `The answer (HTTP ${response.status}) is signed in part. Something on the way removes headers: check baseUrl and proxies.`,
    );
  }
  if (values.appId !== expected.appId) {
    throw new ResponseVerificationError(
      `The answer is for another app: its ${appId} is not the one configured.`,
    );
  }
  if (!isSignedBy(response.body, values.time, expected.appKey, values.sign)) {
    throw new ResponseVerificationError(
      'The signature of the answer does not fit: the AppKey is wrong or the answer was changed on its way.',
    );
  }
}

/**
 * Throws a `ResponseVerificationError` when the date of a verified answer is not current: the answer may be an old one
 * that was replayed.
 */
export function verifyDate(response: RawResponse, nowSeconds: number): void {
  const time = response.header(headerNames.timestamp) ?? '';
  if (!isTimestampCurrent(time, nowSeconds)) {
    throw new ResponseVerificationError(
      `The answer is dated ${time}, which is over two minutes away from this machine's clock.`,
    );
  }
}
