// JSON from providers: nothing is lost of what is right, and no body within its bounds takes long or much.
import fc from 'fast-check';
import { parse as parseLossless } from 'lossless-json';
import { describe, expect, it } from 'vitest';
import { parseIntegers } from './parse-json.ts';
import { Outage } from '../../runtime/outage.ts';

const bounds = { maxParts: 200_000 };
const mebibyte = 1024 * 1024;

describe('integers', () => {
  it.each<readonly [string, unknown]>([
    ['{"a":1,"b":[-1,0]}', { a: 1, b: [-1, 0] }],
    [
      '[999999999999999,9999999999999999,-9223372036854775808]',
      [999999999999999, 9999999999999999n, -(2n ** 63n)],
    ],
    [
      '{"a":18446744073709551615,"b":"12345678901234567890"}',
      { a: 2n ** 64n - 1n, b: '12345678901234567890' },
    ],
    [
      String.raw`{"a\"1234567890123456789":"\\","b":12345678901234567}`,
      { 'a"1234567890123456789': '\\', b: 12345678901234567n },
    ],
    ['12345678901234567890', 12345678901234567890n],
    ['[null,true,"1.5"]', [null, true, '1.5']],
  ])('of %s are whole', (text, value) => {
    expect(parseIntegers(text, bounds)).toEqual(value);
  });

  it('are those that a careful parser reads', () => {
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }),
        fc.string(),
        fc.array(tie('value')),
        fc.dictionary(fc.string(), tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        const text = textOf(value);
        expect(parseIntegers(text, bounds)).toEqual(
          parseLossless(text, null, (digits) => (digits.length > 15 ? BigInt(digits) : Number(digits))),
        );
      }),
    );
  });

  it.each([
    '{"a":1.5}',
    '[1e3]',
    '[0.5,12345678901234567890]',
    '01234567890123456789',
    '-',
    '[1',
    '--1234567890123456789',
    'no',
    '',
  ])('are all the numbers there are, and %s is no answer', (text) => {
    expect(() => parseIntegers(text, bounds)).toThrow('malformed or truncated JSON');
  });
});

describe('a body of 32 MiB', () => {
  const full = (part: string): string => `[${part.repeat((32 * mebibyte) / part.length - 1)}0]`;
  it.each<readonly [string, string]>([
    ['objects', full('{},')],
    ['lists', full('[],')],
    ['numbers', full('1,')],
    ['names', full('"":0,')],
    ['long numbers with nothing between them', full('1234567890123456 ')],
    ['digits', '1'.repeat(32 * mebibyte)],
    ['depth', '['.repeat(32 * mebibyte)],
  ])('of nothing but %s is too much before anything is made of it', (_, text) => {
    // Where values are made first, this takes seconds and hundreds of megabytes, and every other request waits.
    expect(() => parseIntegers(text, bounds)).toThrow(Outage);
  });

  it('of text is read', () => {
    const text = 'ab'.repeat(16 * mebibyte - 8);
    expect(parseIntegers(`{"a":"${text}"}`, bounds)).toEqual({ a: text });
  });
});

function textOf(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}:${textOf(item)}`)
    .join(',')}}`;
}
