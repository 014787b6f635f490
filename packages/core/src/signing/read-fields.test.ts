// A record from outside is read exactly, or it is none: each kind of field below, at and above its bounds.
import { describe, expect, it } from 'vitest';
import { type FieldReader, readFields } from './read-fields.ts';

type Read = (fields: FieldReader) => unknown;

const number: Read = (fields) => fields.number('of', 9);
const units: Read = (fields) => fields.baseUnits('of', 99n);
const wide: Read = (fields) => fields.baseUnits('of', 10n ** 100n);
const text: Read = (fields) => fields.text('of', /^a+$/);
const choice: Read = (fields) => fields.choice('of', ['one', 'two']);
const list: Read = (fields) => fields.list('of');
const nullable: Read = (fields) => fields.nullable('of', () => fields.number('of', 9));
const optional: Read = (fields) => fields.optional('of', () => fields.number('of', 9));
const inner: Read = (fields) => fields.record('of').number('in', 9);

const read = (given: unknown, by: Read) => readFields(given, (fields) => ({ is: by(fields) }));

describe('a field', () => {
  it.each<readonly [string, Read, unknown, unknown]>([
    ['the least number', number, 0, 0],
    ['the most', number, 9, 9],
    ['the least units', units, '0', 0n],
    ['the most units', units, '99', 99n],
    ['units of 78 digits', wide, '9'.repeat(78), 10n ** 78n - 1n],
    ['a text', text, 'aa', 'aa'],
    ['the first choice', choice, 'one', 'one'],
    ['the last', choice, 'two', 'two'],
    ['a list', list, [1, null], [1, null]],
    ['the longest list', list, Array(1024).fill(0), Array(1024).fill(0)],
    ['null where it may be', nullable, null, null],
    ['what is not null', nullable, 3, 3],
    ['what is there', optional, 3, 3],
    ['a record', inner, { in: 3 }, 3],
  ])('gives %s', (_, by, given, is) => {
    expect(read({ of: given }, by)).toEqual({ is });
  });

  it.each<readonly [string, Read, readonly unknown[]]>([
    ['number', number, [-1, 10, 0.5, '3', null, undefined, Number.NaN, 2 ** 53, [3]]],
    ['units', units, ['100', '00', '01', '', '-1', ' 1', '1 ', '1.0', '0x1', 1, 1n, null, undefined]],
    ['units of 79 digits', wide, [`1${'0'.repeat(78)}`]],
    ['text', text, ['', 'b', 'ab', ['a'], 1, null, undefined]],
    ['choice', choice, ['three', '', 1, null, undefined]],
    ['list', list, [Array(1025).fill(0), {}, '', 'a', null, undefined, { length: 1 }]],
    ['nullable', nullable, [undefined, 10, '3']],
    ['optional', optional, [null, 10, '3']],
    ['record', inner, [null, undefined, [], 'a', 1, {}, { in: 10 }, { in: 3, out: 1 }]],
  ])('that is no %s', (_, by, wrong) => {
    for (const given of wrong) expect(read({ of: given }, by), String(given)).toBeNull();
  });
});

it('may be left out where it is optional', () => {
  expect(read({}, optional)).toEqual({ is: null });
});

it.each([null, undefined, 1, 'of', [3], true])('a record is not %o', (given) => {
  expect(read(given, () => 1)).toBeNull();
});

it('a record has no field that nobody asked for', () => {
  expect(read({ of: 3 }, number)).toEqual({ is: 3 });
  expect(read({ of: 3, another: undefined }, number)).toBeNull();
  expect(read({}, () => 1)).toEqual({ is: 1 });
});

it('a broken field is not mended by those that follow', () => {
  expect(read({ of: 10, next: 3 }, (fields) => [number(fields), fields.number('next', 9)])).toBeNull();
});
