// Shows that the table stands in columns, fits a terminal, and that one missed goal is enough.
import { expect, it } from 'vitest';
import { allMet, tableText } from './table.ts';

const met = { what: 'order/create', seen: '10/s by 20/s', value: '0.50', goal: '>= 0.5', met: true };
const missed = { ...met, what: 'order/detail', met: false };
const plain = { what: 'memory', seen: '10 MB', value: '', goal: '', met: null };

it('stands in columns without blanks at the ends', () => {
  expect(tableText([met, missed, plain])).toBe(
    [
      'measure       seen          value  goal',
      'order/create  10/s by 20/s  0.50   >= 0.5  OK',
      'order/detail  10/s by 20/s  0.50   >= 0.5  MISSED',
      'memory        10 MB',
    ].join('\n'),
  );
});

it('is met only where no goal is missed', () => {
  expect([allMet([met, plain]), allMet([met, missed]), allMet([])]).toEqual([true, false, true]);
});
