// The axis of a chart names days where it has several bars a day, and hours where each bar is one.
import { expect, it } from 'vitest';
import { bucketTexts } from './bucket-texts.ts';

const at = (text: string) => new Date(text).getTime() / 1_000;

it('writes a day below the first of its bars alone', () => {
  const [six, noon, midnight] = [at('2026-11-25T06:00'), at('2026-11-25T12:00'), at('2026-11-26T00:00')];
  expect(bucketTexts(six, 21_600, undefined, 'en').tick).toBe('Wed 25');
  expect(bucketTexts(noon, 21_600, six, 'en')).toEqual({ label: 'Wed 25, 12:00 \u2013 18:00', tick: null });
  expect(bucketTexts(midnight, 21_600, noon, 'en').tick).toBe('Thu 26');
});

it('writes an hour, and a day where a bar is one', () => {
  expect(bucketTexts(at('2026-11-25T14:00'), 3_600, undefined, 'en')).toEqual({
    label: 'Wed 14:00',
    tick: '14:00',
  });
});

it('names a day of UTC, whatever clock its reader has', () => {
  const day = bucketTexts(at('2026-11-25T00:00Z'), 86_400, undefined, 'en');
  expect(day).toEqual({ label: 'Nov 25, UTC', tick: 'Nov 25' });
});
