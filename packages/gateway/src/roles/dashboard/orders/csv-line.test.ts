// Shows that no spreadsheet finds a formula in a field, whatever it cuts at.
import { expect, it } from 'vitest';
import { csvLine } from './csv-line.ts';

it('quotes every field and marks what begins like a formula', () => {
  expect(csvLine(['1;=2+3', 'say "x"', ''])).toBe('"1;=2+3","say ""x""",""\r\n');
  for (const field of ['=1', '+1', '-1', '@x', '\t=1', ' =1', '\r=1', '＝1'])
    expect(csvLine([field])).toBe(`"'${field}"\r\n`);
});
