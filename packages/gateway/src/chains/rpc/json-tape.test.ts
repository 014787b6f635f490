// The tape against JSON.parse: the same texts are JSON, and the same values lie in them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTape, type Place } from './json-tape.ts';

const tapeOf = (text: string, maxValues = 1_000): JsonTape => new JsonTape(Buffer.from(text), maxValues);

/** The value at a place, as JSON.parse would make it. */
function valueAt(tape: JsonTape, place: Place): unknown {
  const items = tape.items(place) ?? [];
  if (tape.isObject(place)) {
    const entries = items.map((name) => [JSON.parse(`"${utf8(tape, name)}"`), valueAt(tape, name + 1)]);
    return Object.fromEntries(entries);
  }
  if (tape.isList(place)) return items.map((item) => valueAt(tape, item));
  return JSON.parse(tape.isText(place) ? `"${utf8(tape, place)}"` : tape.text(place));
}

const utf8 = (tape: JsonTape, place: Place): string =>
  tape.bytes.toString('utf8', tape.from(place), tape.to(place));

it('holds what JSON.parse reads', () => {
  fc.assert(
    fc.property(fc.json(), fc.boolean(), (json, isSpaced) => {
      const text = isSpaced ? JSON.stringify(JSON.parse(json), null, 2) : json;
      expect(valueAt(tapeOf(text), 0)).toEqual(JSON.parse(text));
    }),
  );
});

it('holds fields whatever stands before them, and takes the first of a name', () => {
  const tape = tapeOf('{"a":[1,{"b":2}],"bc":{},"b":"x\\"y","b":4}');
  const there = ['a', 'b', 'bc', 'c', 'ab'].filter((name) => tape.field(0, name) !== -1);
  expect(there).toEqual(['a', 'b', 'bc']);
  expect(tape.text(tape.field(0, 'b'))).toBe('x\\"y');
  expect(tape.field(tape.field(0, 'a'), 'b')).toBe(-1);
  const [isNull, isOther] = [tapeOf('{"a":null}'), tapeOf('{"a":0}')].map((one) => one.isNull(2));
  expect([isNull, isOther]).toEqual([true, false]);
});

describe('what is no JSON', () => {
  const broken = [
    '',
    ' ',
    '{',
    '[',
    ']',
    '{]',
    '[}',
    '[1',
    '{"a"}',
    '{"a":}',
    '{"a":1',
    '{"a":1,',
    '{"a":1,}',
    '{a:1}',
    '{1:2}',
    '{"a" "b"}',
    '{"a":1 "b":2}',
    '[1 2]',
    '[,]',
    '[1,]',
    '[1,,2]',
    '"a',
    '"a\\"',
    '1 2',
    '{}{}',
    '[]]',
    '{"a",1}',
    '["a":1]',
    ',',
    ':',
    '[1]x',
    'nul',
    '[tru]',
    '[0x1]',
    '{"a":truely}',
    '<html>',
  ];
  it.each(broken)('%j is refused', (text) => {
    expect(() => tapeOf(text)).toThrow('malformed or truncated JSON');
  });
});

describe('a body of 16 MiB', () => {
  const size = 16 * 1024 * 1024;
  const full = (part: string): string => `[${part.repeat(size / part.length - 1)}0]`;
  it.each([
    ['objects', full('{},')],
    ['lists', full('[],')],
    ['numbers', full('1,')],
    ['names', `{${full('"":0,').slice(1, -3)}}`],
    ['depth', '['.repeat(size)],
  ])('of nothing but %s is too large before anything is made of it', (_, text) => {
    expect(() => tapeOf(text, size / 8)).toThrow(
      /answered with (?:more than 2097152 values|JSON more than 4096 deep)/,
    );
  });
});
