// Every error the client throws: one class per business code, and three for trouble on the way.
import type { RefusalCode } from './generated/codes.ts';

/** The base of all errors of this SDK. */
export class DucatError extends Error {
  override readonly name: string = 'DucatError';
}

/** The gateway said no. `code` is the business code, `message` names the field. */
export class RefusalError extends DucatError {
  override readonly name: string = 'RefusalError';
  readonly code: number;
  readonly httpStatus: number;
  /** Seconds to wait before the next try, where the gateway said so. */
  readonly retryAfterSeconds: number | undefined;
  /**
   * Whether the answer was signed. The gateway signs nothing for a caller who has not proven the key. 10006, 10007,
   * 10008 and a 20009 for the whole network address may therefore come unsigned. Such an answer is likely true, but it
   * does not prove that nothing happened.
   */
  readonly verified: boolean;

  constructor(refusal: Refusal) {
    super(`${refusal.msg} (code ${refusal.code}${refusal.verified ? '' : ', not signed'})`);
    this.verified = refusal.verified;
    this.code = refusal.code;
    this.httpStatus = refusal.httpStatus;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
  }
}

/** The content of a refusal. */
export interface Refusal {
  readonly code: number;
  readonly msg: string;
  readonly httpStatus: number;
  readonly retryAfterSeconds: number | undefined;
  readonly verified: boolean;
}

/** 10002: the request is right, but it cannot be done now. */
export class OperationFailedError extends RefusalError {
  override readonly name = 'OperationFailedError';
}

/** 10003: a field is wrong; the message names it. */
export class ParameterError extends RefusalError {
  override readonly name = 'ParameterError';
}

/** 10004: the trade_no is unknown or belongs to another app. */
export class NotFoundError extends RefusalError {
  override readonly name = 'NotFoundError';
}

/** 10006: the app is unknown, disabled or of the wrong kind. */
export class AuthenticationError extends RefusalError {
  override readonly name = 'AuthenticationError';
}

/** 10007: this machine's clock is over two minutes away from the gateway's. */
export class TimestampError extends RefusalError {
  override readonly name = 'TimestampError';
}

/** 10008: the AppKey is wrong, or the request was changed on its way. */
export class SignatureError extends RefusalError {
  override readonly name = 'SignatureError';
}

/** 20003: the currency is off for the app, the chain or the gateway. */
export class CurrencyNotSupportedError extends RefusalError {
  override readonly name = 'CurrencyNotSupportedError';
}

/** 20009: too many requests; see `retryAfterSeconds`. */
export class TooFrequentError extends RefusalError {
  override readonly name = 'TooFrequentError';
}

/** The class of each business code. A code without a class does not compile. */
export const errorClasses = {
  10002: OperationFailedError,
  10003: ParameterError,
  10004: NotFoundError,
  10006: AuthenticationError,
  10007: TimestampError,
  10008: SignatureError,
  20003: CurrencyNotSupportedError,
  20009: TooFrequentError,
} as const satisfies Record<RefusalCode, new (refusal: Refusal) => RefusalError>;

/** The error of a refusal. A code that this version does not know becomes a plain `RefusalError`. */
export function refusalError(refusal: Refusal): RefusalError {
  const known = new Map<number, new (refusal: Refusal) => RefusalError>(
    Object.entries(errorClasses).map(([code, errorClass]) => [Number(code), errorClass]),
  );
  const ErrorClass = known.get(refusal.code) ?? RefusalError;
  return new ErrorClass(refusal);
}

/** The gateway could not be reached or did not answer: nothing is known about what it did. */
export class ConnectionError extends DucatError {
  override readonly name: string = 'ConnectionError';
}

/** The gateway did not answer in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

/** An answer is not proven to come from the gateway, or does not belong to this request. Nothing in it was used. */
export class ResponseVerificationError extends DucatError {
  override readonly name = 'ResponseVerificationError';
}
