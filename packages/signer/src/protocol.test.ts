// Tests of the strict reading of request lines and params.
import { describe, expect, it } from 'vitest';
import { parseAccountPublicKeyParams, parseRequest } from './protocol.ts';

const token = 't'.repeat(43);
const good = {
  id: '1',
  client: 'gateway',
  token,
  method: 'account-public-key',
  params: { family: 'evm', account: 0 },
};
const line = JSON.stringify(good);

describe('parseRequest', () => {
  it('reads a compact request', () => {
    expect(parseRequest(Buffer.from(line))).toEqual(good);
  });

  it('leaves the judgement of params to the method', () => {
    expect(parseRequest(Buffer.from(JSON.stringify({ ...good, params: [1] })))?.params).toEqual([1]);
  });

  it.each([
    ['nothing', ''],
    ['broken JSON', '{"id":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a missing field', JSON.stringify({ ...good, params: undefined })],
    ['an unknown field', JSON.stringify({ ...good, extra: 1 })],
    ['a __proto__ field', line.replace('{"id"', '{"__proto__":{},"id"')],
    ['a doubled field', line.replace('{"id"', '{"id":"0","id"')],
    ['a doubled field inside params', line.replace('"account":0', '"account":1,"account":0')],
    ['a number in another spelling', line.replace('"account":0', '"account":0e0')],
    ['padding', `${line} `],
    ['a carriage return', `${line}\r`],
    ['a byte order mark', `\ufeff${line}`],
    ['a numeric id', JSON.stringify({ ...good, id: 1 })],
    ['an id with a line break', JSON.stringify({ ...good, id: 'a\nb' })],
    ['a long id', JSON.stringify({ ...good, id: 'a'.repeat(65) })],
    ['a client with capitals', JSON.stringify({ ...good, client: 'Gateway' })],
    ['a short token', JSON.stringify({ ...good, token: 't'.repeat(31) })],
    ['a token of another type', JSON.stringify({ ...good, token: [token] })],
    ['a method of another type', JSON.stringify({ ...good, method: {} })],
    ['10,000 levels', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    [
      '30,000 levels in params',
      line.replace('{"family":"evm","account":0}', '['.repeat(30_000) + ']'.repeat(30_000)),
    ],
  ])('refuses %s', (_what, text) => {
    // Deep nesting within the limits of the machine may parse; then the params must refuse it.
    const request = parseRequest(Buffer.from(text));
    expect(request === undefined || parseAccountPublicKeyParams(request.params) === undefined).toBe(true);
  });

  it('refuses bytes that are not UTF-8', () => {
    const bytes = Buffer.from(line);
    bytes[bytes.indexOf('gateway')] = 0xff;
    expect(parseRequest(bytes)).toBeUndefined();
  });
});

describe('parseAccountPublicKeyParams', () => {
  it('takes both families and the whole range of accounts', () => {
    expect(parseAccountPublicKeyParams({ family: 'evm', account: 0 })).toEqual({ family: 'evm', account: 0 });
    const last = { family: 'tron', account: 2 ** 31 - 1 };
    expect(parseAccountPublicKeyParams(last)).toEqual(last);
  });

  it.each([
    [undefined],
    [null],
    [[]],
    [{}],
    [{ family: 'evm' }],
    [{ account: 0 }],
    [{ family: 'btc', account: 0 }],
    [{ family: '__proto__', account: 0 }],
    [{ family: 'evm', account: -1 }],
    [{ family: 'evm', account: 2 ** 31 }],
    [{ family: 'evm', account: 0.5 }],
    [{ family: 'evm', account: '0' }],
    [{ family: 'evm', account: Number.NaN }],
    [{ family: 'evm', account: 0, path: 'm/0' }],
  ])('refuses %j', (params) => {
    expect(parseAccountPublicKeyParams(params)).toBeUndefined();
  });
});
