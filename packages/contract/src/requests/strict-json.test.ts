// Tests of the strict reader: everything that JSON.parse accepts and a payment API must not.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyLimits, parseStrictJson } from './strict-json.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseStrictJson(encode(text));

describe('parseStrictJson', () => {
  it('reads an object as JSON.parse does', () => {
    const text =
      ' {"a":"x\\u00e4\\ud83d\\uded2 {\\"b\\":1}, [","b":-5,"c":[1,{"d":null},true],"e":{"a":""}} \n';
    expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
  });

  it.each<[string, string, string]>([
    ['[]', 'body', 'body must be one JSON object'],
    ['null', 'body', 'body must be one JSON object'],
    ['"a"', 'body', 'body must be one JSON object'],
    ['', 'body', 'body must be valid JSON'],
    ['{"a":1,}', 'body', 'body must be valid JSON'],
    ['{"a":01}', 'body', 'body must be valid JSON'],
    ['{"a":1}x', 'body', 'body must be valid JSON'],
    ['\uFEFF{}', 'body', 'body must not begin with a byte order mark'],
    ['{"a":1,"a":1}', 'a', 'a must not be given twice'],
    ['{"a":1,"\\u0061":1}', 'a', 'a must not be given twice'],
    ['{"x":[{"y":1},{"y":1,"y":2}]}', 'x[1].y', 'x[1].y must not be given twice'],
    ['{"__proto__":{}}', '__proto__', '__proto__ is not an allowed field name'],
    ['{"\\u005f_proto__":{}}', '__proto__', '__proto__ is not an allowed field name'],
    ['{"a":{"constructor":1}}', 'a.constructor', 'a.constructor is not an allowed field name'],
    ['{"prototype":1}', 'prototype', 'prototype is not an allowed field name'],
    ['{"a":"\\ud800"}', 'a', 'a must not contain lone surrogates'],
    ['{"a":["","\\udc00\\ud800"]}', 'a[1]', 'a[1] must not contain lone surrogates'],
    ['{"\\ud800":1}', 'body', 'body must not contain lone surrogates'],
    ['{"a":9007199254740993}', 'a', 'a must be an integer within the safe range'],
  ])('refuses %s', (text, field, message) => {
    expect(parse(text)).toEqual({ ok: false, field, message });
  });

  it.each(['1e3', '1.0', '1E0', '-0', '1e400', '0.1', '-1.5'])('refuses the number token %s', (number) => {
    expect(parse(`{"currency_id":${number}}`)).toMatchObject({ ok: false, field: 'currency_id' });
    expect(parse(`{"list":[1,${number}]}`)).toMatchObject({ ok: false, field: 'list[1]' });
  });

  it('accepts key names that only look like others, and the same key in different objects', () => {
    expect(parse('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"A":1,"proto":1}').ok).toBe(true);
  });

  it.each([
    [[0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]],
    [[0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x31, 0x7d]],
    [[0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]],
    [[0x7b, 0x22, 0xe2, 0x82]],
  ])('refuses bytes that are not UTF-8: %j', (bytes) => {
    expect(parseStrictJson(Uint8Array.from(bytes))).toMatchObject({
      ok: false,
      message: 'body must be valid UTF-8',
    });
  });

  it('counts levels: eight pass, nine do not', () => {
    const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(parse(nested(bodyLimits.maxDepth)).ok).toBe(true);
    expect(parse(nested(bodyLimits.maxDepth + 1))).toMatchObject({ ok: false, field: 'a' });
    expect(parse(nested(10_000))).toMatchObject({
      ok: false,
      message: 'a must not nest deeper than 8 levels',
    });
  });

  it('refuses a body over the size limit and takes one of exactly that size', () => {
    const body = (size: number) => `{"a":"${'x'.repeat(size - 8)}"}`;
    expect(parse(body(bodyLimits.maxBytes)).ok).toBe(true);
    expect(parse(body(bodyLimits.maxBytes + 1))).toMatchObject({
      ok: false,
      message: 'body must be at most 65536 bytes',
    });
  });

  it('cuts long and unprintable names in messages', () => {
    const result = parse(`{"${'k\\u0000'.repeat(500)}":1.5}`);
    expect(result.ok ? '' : result.field).toHaveLength(80);
    expect(result.ok ? '' : result.field).not.toContain('\u0000');
  });

  it('takes no longer than linear time on the worst bodies of the largest size', () => {
    const size = bodyLimits.maxBytes;
    const bodies = [
      `{"a":"${'\\\\'.repeat(size / 2 - 8)}"}`,
      `{"a":"${'\\u0041'.repeat(Math.floor(size / 6) - 4)}"}`,
      `{${Array.from({ length: 6000 }, (_, n) => `"k${n}":1`).join(',')}}`,
      `{"a":${'9'.repeat(size - 10)}}`,
      `{"a":[${'{},'.repeat(size / 3 - 10)}{}]}`,
    ];
    const before = process.cpuUsage();
    for (const body of bodies) parse(body);
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  it('agrees with JSON.parse on every object of safe values', () => {
    const keys = fc
      .string({ unit: 'grapheme', maxLength: 8 })
      .filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
    const leaf = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.maxSafeInteger().filter((n) => !Object.is(n, -0)),
      fc.boolean(),
      fc.constant(null),
    );
    const object = fc.dictionary(keys, fc.oneof(leaf, fc.array(leaf), fc.dictionary(keys, leaf)), {
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(object, fc.constantFrom(0, 2), (value, indent) => {
        expect(parse(JSON.stringify(value, null, indent))).toEqual({ ok: true, value });
      }),
    );
  });
});
