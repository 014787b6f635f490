// Tests of request validation: each refusal names its field, and nothing is converted silently.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOrder } from '../endpoints/create-order.ts';
import { tokenList } from '../endpoints/token-list.ts';
import { readRequest } from './read-request.ts';
import { validateRequest } from './validate.ts';

const base = { out_trade_no: 'o-1', currency_id: 1001, token_amount: '1.5' };
/** 900 characters that the URL parser turns into a host of over 2,700. */
const longInAscii = Array.from({ length: 900 }, (_, place) => String.fromCodePoint(0x4e00 + place)).join('');
const refusalOf = (change: Record<string, unknown>, legacy = false) => {
  const result = validateRequest(createOrder, legacy, { ...base, ...change });
  return result.ok ? undefined : result.message;
};

describe('validateRequest', () => {
  it('returns a right request unchanged', () => {
    expect(validateRequest(createOrder, false, createOrder.exampleRequest)).toEqual({
      ok: true,
      value: createOrder.exampleRequest,
    });
  });

  it.each<[string, unknown]>([
    ['token_amount', 12.5],
    ['token_amount', '1e3'],
    ['token_amount', ' 1'],
    ['token_amount', '1 '],
    ['token_amount', '٣'],
    ['token_amount', ''],
    ['token_amount', '.5'],
    ['token_amount', '5.'],
    ['token_amount', '1.2.3'],
    ['token_amount', '-1'],
    ['token_amount', '+1'],
    ['token_amount', '0'],
    ['token_amount', '0.000'],
    ['token_amount', '0x10'],
    ['token_amount', '1,5'],
    ['token_amount', '1\n'],
    ['token_amount', null],
    ['token_amount', '9'.repeat(101)],
    ['fiat_amount', 'NaN'],
    ['fiat_name', 'usd'],
    ['fiat_name', 'XXX'],
    ['fiat_name', 1],
    ['currency_id', '1001'],
    ['currency_id', 1.5],
    ['currency_id', 0],
    ['currency_id', -1],
    ['currency_id', 2147483648],
    ['currency_id', true],
    ['currency_id', [1001]],
    ['out_trade_no', ''],
    ['out_trade_no', 'x'.repeat(129)],
    ['out_trade_no', 'a\u0000b'],
    ['out_trade_no', 'a\nb'],
    ['out_trade_no', 'a\u0085b'],
    ['out_trade_no', 7],
    ['time_out', 1],
    ['time_out', -1],
    ['time_out', 1763626800000],
    ['time_out', '1763626800'],
    ['time_out', 1763626800.5],
    ['callback_url', 'javascript:alert(1)'],
    ['callback_url', 'ftp://a.example/'],
    ['callback_url', '//a.example/'],
    ['callback_url', 'https:a.example'],
    ['callback_url', 'https:///a.example'],
    ['callback_url', 'https://'],
    ['callback_url', 'https://user@a.example/'],
    ['callback_url', 'https://user:pw@a.example/'],
    ['callback_url', 'https://a.example\\@b.example/'],
    ['callback_url', 'https://a.example/ b'],
    ['callback_url', ' https://a.example/'],
    ['callback_url', 'https://a.example/\r\nX: y'],
    ['callback_url', 'https://a.example:99999/'],
    ['callback_url', 'https://[::1'],
    ['callback_url', `https://a.example/${'x'.repeat(2048)}`],
    ['callback_url', `http://${longInAscii}/`],
    ['callback_url', `http://${'a'.repeat(64)}.example/`],
    ['callback_url', 'http://a.example:22/'],
    ['redirect_url', `http://${longInAscii}/`],
    ['redirect_url', ''],
    ['redirect_url', 5],
  ])('refuses %s = %j and names the field', (field, value) => {
    expect(refusalOf({ [field]: value })).toMatch(new RegExp(`^${field} must be (?!of the documented type)`));
  });

  it.each<[string, unknown]>([
    ['token_amount', '0.000000000000000001'],
    ['token_amount', '115792089237316195423570985008687907853269984665640564039457584007913129639935'],
    ['out_trade_no', '🛒'.repeat(128)],
    ['out_trade_no', ' '],
    ['time_out', 0],
    ['time_out', 1763626800],
    ['currency_id', 2147483647],
    ['callback_url', 'http://127.0.0.1:8080/hook?x=1@2#y'],
    ['callback_url', 'HTTPS://[2001:db8::1]/'],
    ['redirect_url', 'https://shop.example/тест?q=ü'],
    ['redirect_url', 'https://shop.example:81/'],
    ['callback_url', 'https://shop.example:8443/'],
  ])('accepts %s = %j', (field, value) => {
    expect(refusalOf({ [field]: value })).toBeUndefined();
  });

  it('says in English what is wrong', () => {
    expect(refusalOf({ fiat_amount: '1e3' })).toBe(
      'fiat_amount must be a plain decimal string above zero such as "12.50" (digits, at most one point, at most 100 characters)',
    );
    expect(refusalOf({ extra: 1 })).toBe('extra is not a known field');
    expect(refusalOf({ toString: 1 })).toBe('toString is not a known field');
    expect(validateRequest(createOrder, false, { currency_id: 1 })).toEqual({
      ok: false,
      field: 'out_trade_no',
      message: 'out_trade_no is required',
    });
  });

  it.each([[null], [[]], ['x'], [1], [undefined]])('refuses the root %j', (root) => {
    expect(validateRequest(createOrder, false, root)).toMatchObject({ ok: false, field: 'body' });
  });

  it('answers a hostile amount of the largest size at once', () => {
    const before = process.cpuUsage();
    refusalOf({ token_amount: `${'0'.repeat(65000)}x` });
    refusalOf({ token_amount: `${'1'.repeat(65000)}x` });
    refusalOf({ callback_url: `https://${'a'.repeat(65000)}@` });
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});

describe('the old path', () => {
  it('takes currency_id as a string of digits and answers the current shape', () => {
    const result = validateRequest(createOrder, true, {
      ...base,
      currency_id: '1001',
      referer: { any: 'thing' },
    });
    expect(result).toEqual({ ok: true, value: base });
  });

  it.each([1001, '', '01', '1.0', '1e3', ' 1', '-1', '٣', '99999999999', '9999999999'])(
    'refuses currency_id = %j',
    (currencyId) => {
      expect(refusalOf({ currency_id: currencyId }, true)).toMatch(/^currency_id must be a string of digits/);
    },
  );

  it('does not know redirect_url, and the current path does not know referer', () => {
    expect(refusalOf({ currency_id: '1001', redirect_url: 'https://a.example/' }, true)).toBe(
      'redirect_url is not a known field',
    );
    expect(refusalOf({ referer: 'x' })).toBe('referer is not a known field');
  });
});

describe('readRequest', () => {
  it('takes an empty body as {} only where the endpoint allows it', () => {
    const nothing = new Uint8Array();
    expect(readRequest(tokenList, false, nothing)).toEqual({ ok: true, value: {} });
    expect(readRequest(createOrder, false, nothing)).toMatchObject({ ok: false, field: 'body' });
  });

  it('answers every object of any JSON without throwing, and names a field in each refusal', () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom<unknown>('1001', 1001, '1.5', 'USD', 'https://a.example/'),
    );
    const key = fc.oneof(
      fc.string(),
      fc.constantFrom(...Object.keys(createOrder.request.properties), 'referer'),
    );
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.boolean(), (object, legacy) => {
        const result = readRequest(createOrder, legacy, new TextEncoder().encode(JSON.stringify(object)));
        if (!result.ok) expect(result.message.startsWith(`${result.field} `)).toBe(true);
        else
          expect(Object.keys(createOrder.request.properties)).toEqual(
            expect.arrayContaining(Object.keys(result.value)),
          );
      }),
    );
  });

  it('refuses any field of a webhook or response body, so that neither can be replayed as a request', () => {
    const bytes = new TextEncoder().encode('{"code":0,"msg":"success","data":{}}');
    expect(readRequest(tokenList, false, bytes)).toMatchObject({ ok: false, field: 'code' });
  });
});
