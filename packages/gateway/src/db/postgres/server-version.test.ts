// The oldest PostgreSQL that a start accepts, at its bound.
import { expect, it } from 'vitest';
import { versionTrouble } from './server-version.ts';

it.each([
  [90_624, 'the database is PostgreSQL 9, and Ducat needs 15 or newer'],
  [149_999, 'the database is PostgreSQL 14, and Ducat needs 15 or newer'],
  [150_000, null],
  [180_004, null],
])('server_version_num %d: %s', (number, trouble) => {
  expect(versionTrouble(number)).toBe(trouble);
});
