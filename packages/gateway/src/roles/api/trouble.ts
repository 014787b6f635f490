// Turns errors other than refusals into a status, a code and a sentence that gives nothing away.
import type { RefusalCode } from '@ducat/contract/codes';
import { bodyLimits } from '@ducat/contract/requests/strict-json';
import { Bug } from '@ducat/core/assert';
import { Outage } from '../../runtime/outage.ts';
import { DatabaseAway } from './database-away.ts';

export interface Trouble {
  readonly httpStatus: 200 | 404 | 405 | 413 | 415 | 503;
  readonly code: RefusalCode;
  readonly message: string;
  /** The level of its line in the log. */
  readonly level: 'info' | 'warn' | 'error';
}

/** A request that is no operation: a wrong path, method or content type, or one that came too late. */
export class TransportTrouble extends Error {
  override readonly name = 'TransportTrouble';
  readonly trouble: Trouble;

  constructor(httpStatus: Trouble['httpStatus'], code: RefusalCode, message: string) {
    super(message);
    this.trouble = { httpStatus, code, message, level: 'info' };
  }
}

export function shuttingDown(): TransportTrouble {
  return new TransportTrouble(503, 10002, 'the gateway is shutting down; try again');
}

/** The trouble of any error that ended a request. By `requestId` the operator finds its line in the log. */
export function troubleOf(error: unknown, requestId: string): Trouble {
  if (error instanceof TransportTrouble) return error.trouble;
  const fromFastify = fastifyTroubles[codeOf(error)];
  if (fromFastify !== undefined) return fromFastify;
  if (error instanceof DatabaseAway) {
    return { httpStatus: 503, code: 10002, message: 'the gateway is not ready; try again', level: 'error' };
  }
  if (error instanceof Outage) {
    const message = `something the gateway depends on does not answer; try again (request ${requestId})`;
    return { httpStatus: 200, code: 10002, message, level: 'warn' };
  }
  return { httpStatus: 200, code: 10002, message: `operation failed (request ${requestId})`, level: 'error' };
}

/** Whether an error means that Ducat itself is broken. */
export function isBug(error: unknown): error is Bug {
  return error instanceof Bug;
}

const fastifyTroubles: Readonly<Record<string, Trouble>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: {
    httpStatus: 413,
    code: 10003,
    message: `body must be at most ${bodyLimits.maxBytes} bytes`,
    level: 'info',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    httpStatus: 415,
    code: 10003,
    message: 'content-type must be application/json',
    level: 'info',
  },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    httpStatus: 200,
    code: 10003,
    message: 'body is shorter or longer than content-length says',
    level: 'info',
  },
  // The client closed the connection in the middle of the body, so this answer is never read.
  ECONNRESET: { httpStatus: 200, code: 10003, message: 'body is incomplete', level: 'info' },
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
