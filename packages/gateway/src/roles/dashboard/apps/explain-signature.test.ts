// Each mistake that is usually made with a signature is named, and a right one has none.
import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { explainSignature } from './explain-signature.ts';

const key = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ';
const [body, timestamp, now] = ['{"a": 1}', '1763000000', 1_763_000_000];
const sign = (message: string, by: string | Buffer = key) =>
  createHmac('sha256', by).update(message).digest('hex');

const explain = (signature: string, change: object = {}, keys: readonly string[] = [key]) =>
  explainSignature({ body, timestamp, signature, ...change }, keys, now);

it('finds a right signature by the current key and by the one before', () => {
  expect(explain(sign(body + timestamp + key))).toEqual({ fits_key: 'current', mistakes: [] });
  expect(explain(sign(body + timestamp + key), {}, ['another', key]).fits_key).toBe('previous');
  expect(explain('a'.repeat(64))).toEqual({ fits_key: null, mistakes: [] });
});

it.each([
  ['newline-missing', sign(`${body}\n${timestamp}${key}`), {}],
  ['newline-added', sign(body + timestamp + key), { body: `${body}\n` }],
  ['line-ends', sign(`{\n}${timestamp}${key}`), { body: '{\r\n}' }],
  ['other-json', sign(`{"a":1}${timestamp}${key}`), {}],
  ['empty-body', sign(timestamp + key), {}],
  ['timestamp-missing', sign(body + key), {}],
  ['timestamp-milliseconds', sign(`${body}${timestamp}000${key}`), {}],
  ['order', sign(timestamp + body + key), {}],
  ['key-missing', sign(body + timestamp), {}],
  [
    'plain-hash',
    createHash('sha256')
      .update(body + timestamp + key)
      .digest('hex'),
    {},
  ],
  ['key-decoded', sign(body + timestamp + key, Buffer.from(key, 'base64url')), {}],
  ['timestamp-old', sign(`${body}1762000000${key}`), { timestamp: '1762000000' }],
  ['timestamp-form', 'a'.repeat(64), { timestamp: '17630000001' }],
  ['signature-form', Buffer.from(sign(body + timestamp + key), 'hex').toString('base64'), {}],
])('names %s', (mistake, signature, change) => {
  expect(explain(signature, change).mistakes).toContain(mistake);
});
