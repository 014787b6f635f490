// The check finds each way in which an answer can be wrong.
import { describe, expect, it } from 'vitest';
import { checkAnswer } from './check-answer.ts';
import { type Answer, signatureOf } from './exchange.ts';
import type { HeadFault } from './head-faults.ts';
import { readOperations } from './operation.ts';
import type { FuzzRequest } from './request.ts';

const app = { appId: 'app_1', appKey: 'key' };
const target = { apiUrl: '', app, qrApp: app };
const NOW_S = 1_800_000_000;

const envelope = (schema: object) => ({
  type: 'object',
  required: ['code', 'msg', 'data'],
  properties: { code: schema, msg: { type: 'string' }, data: { type: 'object' } },
});

const [operation] = readOperations({
  paths: {
    '/api/thing': {
      post: {
        operationId: 'thing',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: {}, examples: { example: { value: {} } } } },
        },
        responses: {
          '200': { content: { 'application/json': { schema: { oneOf: [envelope({ const: 0 })] } } } },
        },
        'x-codes': [0, 10002, 10003, 10006, 10008, 20009],
      },
    },
  },
  components: { schemas: { Refusal: envelope({ type: 'integer', minimum: 1 }) } },
});

function request(fits: boolean, fault: HeadFault | null = null): FuzzRequest {
  if (operation === undefined) throw new Error('the document was not read');
  return { operation, body: { bytes: Buffer.from('{}'), fits, about: '' }, fault, isRepeated: false };
}

function answer(
  code: number,
  { status = 200, msg = 'm', timestampS = NOW_S, key = app.appKey } = {},
): Answer {
  const text = JSON.stringify({ code, msg, data: {} });
  const timestamp = String(timestampS);
  const signature = signatureOf(Buffer.from(text), timestamp, key);
  return {
    status,
    text,
    headers: { 'x-appid': app.appId, 'x-timestamp': timestamp, 'x-sign': signature },
  };
}

const forged: HeadFault = { about: 'forged signature', codes: [10008], change: (head) => head };
const stranger: HeadFault = { about: 'another app', codes: [10006], change: (head) => head };

describe('checkAnswer', () => {
  it.each([
    ['a success', request(true), answer(0)],
    ['a refusal of a body that does not fit', request(false), answer(10003)],
    ['a refusal of a forged signature', request(true, forged), { ...answer(10008), headers: {} }],
    ['an unsigned answer to nobody we know', request(true, stranger), { ...answer(10006), headers: {} }],
    ['a body that was cut off', request(false), { ...answer(10003, { status: 413 }), headers: {} }],
  ])('lets pass %s', (_, sent, got) => {
    expect(checkAnswer(sent, got, target, NOW_S)).toBeNull();
  });

  it.each([
    ['status 503', request(true), answer(10002, { status: 503 }), 'status 503'],
    ['no JSON', request(true), { ...answer(0), text: 'oops' }, 'envelope'],
    ['another shape', request(true), { ...answer(0), text: '{"code":0}' }, 'envelope'],
    [
      'trouble behind status 200',
      request(true),
      answer(10002, { msg: 'operation failed (request r)' }),
      'trouble',
    ],
    ['no signature', request(true), { ...answer(0), headers: { 'x-appid': 'app_1' } }, 'no time'],
    ['a signature of another key', request(true), answer(0, { key: 'other' }), 'not signed'],
    ['an old answer', request(true), answer(0, { timestampS: NOW_S - 121 }), 'no time'],
    ['a signed refusal of a forged signature', request(true, forged), answer(10008), 'nothing was proven'],
    ['success for a forged signature', request(true, forged), { ...answer(0), headers: {} }, 'forged'],
    ['success for a body that does not fit', request(false), answer(0), 'does not fit'],
    ['a code that the operation does not have', request(true), answer(10004), 'that fits'],
    ['a pace that was not exceeded', request(true), answer(20009), 'that fits'],
    ['a right signature called wrong', request(true), answer(10008), 'that fits'],
    ['status 404 for an operation', request(true), answer(10002, { status: 404 }), '404'],
  ])('finds %s', (_, sent, got, trouble) => {
    expect(checkAnswer(sent, got, target, NOW_S)).toContain(trouble);
  });
});
