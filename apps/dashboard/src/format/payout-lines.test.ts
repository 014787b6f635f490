// A file of payouts is taken whole, or refused with the lines and the reasons.
import { expect, it } from 'vitest';
import { payoutLines } from './payout-lines.ts';

const TO = '0x52908400098527886E0F7030069857D2E4169EE7';
const why = (text: string) => {
  const read = payoutLines(text);
  return read.ok ? 'taken' : read.unfit.map(({ line, why: reason }) => `${line} ${reason}`).join(', ');
};

it('takes a heading and lines, as spreadsheets and editors write them', () => {
  expect(payoutLines(`\ufeffto_address,amount\r\n"${TO}","1.5"\r\n${TO}, 2\r\n`)).toEqual({
    ok: true,
    lines: [
      { line: 2, to: TO, amount: '1.5' },
      { line: 3, to: TO, amount: '2' },
    ],
  });
});

it('names what it does not take, and takes none of the rest then', () => {
  const file = (...rows: string[]) => ['to_address,amount', ...rows].join('\n');
  expect(why('')).toBe('null empty');
  expect(why(`amount,to_address\n1,${TO}`)).toBe('1 heading');
  expect(why(file(`${TO},1,2`, TO, `${TO};1`))).toBe('2 columns, 3 columns, 4 columns');
  expect(why(file('=HYPERLINK(1),1', `${TO},-5`, `${TO},＝1`))).toBe('2 formula, 3 formula, 4 formula');
  expect(why(file(`${TO},1e3`, `${TO},0.0`, `${TO},1.000.000`, 'bob,1'))).toBe(
    '2 amount, 3 amount, 4 amount, 5 address',
  );
  expect(why(file(`${TO},1`, `${TO.toLowerCase()},1`))).toBe('3 twice');
  expect(why(file(`"${TO},1`))).toBe('2 quote');
  expect(why(file(...Array.from({ length: 100_000 }, () => `${TO},1`)))).toBe('null too-many');
});
