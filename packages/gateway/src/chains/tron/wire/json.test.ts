// Fields of an answer as java-tron writes them, and what is none of them.
import { jsonOf } from '@ducat/testkit/chains/tron/json-of';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonTape } from '../../rpc/json-tape.ts';
import { Json } from './json.ts';

const read = (text: string): Json => new Json(new JsonTape(Buffer.from(text), 1_000));

describe('an integer', () => {
  it('loses none of its digits', () => {
    const integers = fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n });
    fc.assert(
      fc.property(fc.array(integers), integers, (before, value) => {
        const list = read(`{"a":[${[...before, value].join(',')}]}`)
          .get('a')
          .asList('a');
        expect(list.map((one) => one.asInteger('a'))).toEqual([...before, value]);
      }),
    );
  });

  it.each(['1.5', '1e3', '01', '-', '--1', '+1', '"1"', 'null', 'true', '[1]', '{}', '1'.repeat(79)])(
    'is none as %s, which is no answer',
    (text) => {
      const value = read(`{"a":${text}}`).get('a');
      expect(value.integer).toBeNull();
      expect(() => value.asInteger('a height')).toThrow('answered with a height that is no integer');
    },
  );
});

it('what is absent is empty, at any depth', () => {
  const absent = jsonOf({ b: 1 }).get('a');
  expect([absent.isAbsent, absent.get('c').get('d').isAbsent, jsonOf([1]).get('a').isAbsent]).toEqual([
    true,
    true,
    true,
  ]);
  expect([absent.asInteger('a'), absent.integer, absent.asHex('a'), absent.text]).toEqual([
    0n,
    null,
    '',
    null,
  ]);
  expect([absent.asList('a'), absent.asRecord('a').hasOnly([]), absent.isList, absent.is('true')]).toEqual([
    [],
    true,
    false,
    false,
  ]);
});

it('what is of another kind is refused', () => {
  const json = jsonOf({
    list: [1, {}],
    text: 'zz',
    hex: 'aB',
    odd: 'abc',
    yes: true,
    word: 'true',
    nothing: null,
  });
  expect(() => json.get('text').asRecord('a block')).toThrow('answered with a block that is no object');
  expect(() => json.get('text').asList('logs')).toThrow('answered with logs that are no list');
  expect(() => json.get('list').asRecords('logs')).toThrow('answered with logs that is no list of objects');
  expect(json.get('hex').asHex('an id')).toBe('ab');
  for (const name of ['text', 'odd', 'list', 'yes', 'nothing'])
    expect(() => json.get(name).asHex('an id')).toThrow(
      'answered with an id that is not a number of bytes as hex',
    );
  expect(() => json.get('hex').asHex('an id', 2)).toThrow('is not 2 bytes as hex');
  expect([json.get('yes').is('true'), json.get('word').is('true'), json.get('yes').is('false')]).toEqual([
    true,
    false,
    false,
  ]);
});

it('the names of an object are known or not', () => {
  const json = jsonOf({ a: 1, bc: { d: 1 } });
  const known = [['a', 'bc'], ['bc', 'a', 'x'], ['a'], ['a', 'b'], ['a', 'cc'], []].map((names) =>
    json.hasOnly(names),
  );
  expect(known).toEqual([true, true, false, false, false, false]);
  expect(jsonOf({}).hasOnly([])).toBe(true);
});
