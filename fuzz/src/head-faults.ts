// Faults in a request's head, the part before its body: headers, signature, time, path and method.
import fc, { type Arbitrary } from 'fast-check';

/** The parts of a request before its body. */
export interface Head {
  readonly method: string;
  readonly path: string;
  /** Pairs, so that a header can occur twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface HeadFault {
  readonly about: string;
  /** The codes that may answer the fault. They do not depend on the body, which is checked later or not at all. */
  readonly codes: readonly number[];
  readonly change: (head: Head) => Head;
}

const SIGNED = ['X-Appid', 'X-Timestamp', 'X-Sign'] as const;
const OUT_OF_TIME = [10007];
const WRONG_SIGNATURE = [10008];
const UNAUTHENTICATED = [10006];
/** Fastify and its router check path, method and content type before any code of the gateway runs. */
const NO_OPERATION = [10002];
const WRONG_TYPE = [10003];

const headerText = fc.string({ maxLength: 80 }).filter((text) => /^[\x21-\x7e]*$/.test(text));

/** Heads with one fault each. */
export const headFaults: Arbitrary<HeadFault> = fc.oneof(
  fc.constantFrom(...SIGNED).map((name) => fault(`no ${name}`, UNAUTHENTICATED, without(name))),
  fc.constantFrom(...SIGNED).map((name) => fault(`two ${name}`, UNAUTHENTICATED, twice(name))),
  headerText.map((text) => fault('another app', UNAUTHENTICATED, set('X-Appid', `x${text}`))),
  fc
    .integer({ min: 121 + 30, max: 4_000_000_000 })
    .chain((seconds) => fc.constantFrom(-seconds, seconds))
    .map((seconds) => fault('another time', OUT_OF_TIME, shift(seconds))),
  headerText.map((text) => fault('odd time', OUT_OF_TIME, set('X-Timestamp', `${text}x`))),
  headerText.map((text) => fault('odd signature', WRONG_SIGNATURE, set('X-Sign', `${text}x`))),
  fc
    .stringMatching(/^[0-9a-f]{64}$/)
    .map((text) => fault('forged signature', WRONG_SIGNATURE, set('X-Sign', text))),
  fc
    .constantFrom(
      'text/plain',
      'application/jsonp',
      'application/json; charset=utf-16',
      'multipart/form-data',
      ';',
    )
    .map((type) => fault(`type ${type}`, WRONG_TYPE, set('Content-Type', type))),
  fc
    .constantFrom('/', '?a=1', '/../x', '%2f', '%zz', '//', ';a', '\\')
    .map((tail) => fault(`path${tail}`, NO_OPERATION, (head) => ({ ...head, path: `${head.path}${tail}` }))),
  fc
    .constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS')
    .map((method) => fault(method, NO_OPERATION, (head) => ({ ...head, method }))),
);

function fault(about: string, codes: readonly number[], change: HeadFault['change']): HeadFault {
  return { about, codes, change };
}

function without(name: string): HeadFault['change'] {
  return (head) => ({ ...head, headers: head.headers.filter(([key]) => key !== name) });
}

function twice(name: string): HeadFault['change'] {
  return (head) => ({ ...head, headers: [...head.headers, ...head.headers.filter(([key]) => key === name)] });
}

function set(name: string, text: string): HeadFault['change'] {
  return (head) => ({
    ...head,
    headers: head.headers.map(([key, value]) => [key, key === name ? text : value]),
  });
}

function shift(seconds: number): HeadFault['change'] {
  return (head) => {
    const old = head.headers.find(([key]) => key === 'X-Timestamp')?.[1] ?? '0';
    return set('X-Timestamp', String(Math.max(0, Number(old) + seconds)).padStart(10, '0'))(head);
  };
}
