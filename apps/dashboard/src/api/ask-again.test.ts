// A question whose field was refused is not asked again by itself, and any other is.
import { expect, it } from 'vitest';
import { askAgainAfter } from './ask-again.ts';
import { Refusal, Unreachable } from './refusal.ts';

it.each([
  ['an answer', null, 15_000],
  ['a refused field', new Refusal(400, { code: 'field-invalid', field: 'amount', message: '' }), false],
  ['a price that is missing', new Refusal(409, { code: 'conflict', message: '' }), 15_000],
  ['no answer', new Unreachable(), 15_000],
])('after %s', (_, error, expected) => {
  expect(askAgainAfter(15_000, error)).toBe(expected);
});
