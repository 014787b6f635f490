// Backups and the archive of the WAL: fresh up to the limit, old past it, and failing where the last attempt failed.
import { expect, it } from 'vitest';
import { archiveState, freshnessOf } from './freshness.ts';

it('is fresh up to the limit and old past it', () => {
  expect(freshnessOf(null, 100, 1_000)).toBe('never');
  expect(freshnessOf(900, 100, 1_000)).toBe('fresh');
  expect(freshnessOf(899, 100, 1_000)).toBe('old');
  // The clock of the machine that wrote it is ahead.
  expect(freshnessOf(1_001, 100, 1_000)).toBe('fresh');
});

it.each([
  [{ isOn: false, archivedAtMs: 999, failedAtMs: null }, 'off'],
  [{ isOn: true, archivedAtMs: null, failedAtMs: null }, 'never'],
  [{ isOn: true, archivedAtMs: null, failedAtMs: 5 }, 'failing'],
  [{ isOn: true, archivedAtMs: 950, failedAtMs: 951 }, 'failing'],
  [{ isOn: true, archivedAtMs: 951, failedAtMs: 950 }, 'fresh'],
  [{ isOn: true, archivedAtMs: 800, failedAtMs: 700 }, 'old'],
] as const)('an archiver %o is %s', (archiver, state) => {
  expect(archiveState(archiver, 100, 1_000)).toBe(state);
});
