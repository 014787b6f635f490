// Where two texts differ is said in bytes, and the key is never called a difference.
import { expect, it } from 'vitest';
import { signedDifference } from './signed-difference.ts';

it('is the first byte that differs, counted in bytes and shown with some that follow', () => {
  expect(signedDifference('{"a": 1}', '{"a":1}')).toEqual({
    place: 5,
    left: '20 31 7d',
    right: '31 7d',
  });
  expect(signedDifference('é€b', 'é€a')).toEqual({ place: 5, left: '62', right: '61' });
});

it('shows eight bytes at the most, and none where the text ends', () => {
  expect(signedDifference('', '0123456789')).toEqual({
    place: 0,
    left: '',
    right: '30 31 32 33 34 35 36 37',
  });
});

it('is none where the key alone may follow', () => {
  expect(signedDifference('{}1763000000the key', '{}1763000000')).toBeNull();
  expect(signedDifference('{}', '{}')).toBeNull();
});
