// What a contract calls itself is read as text of known length, or not at all.
import { expect, it } from 'vitest';
import { symbolOf } from './token-facts.ts';

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const text = (symbol: string) => Buffer.from(symbol).toString('hex').padEnd(64, '0');

it.each([
  ['a string', word(32) + word(4) + text('USDT'), 'USDT'],
  ['32 bytes, as tokens had them', text('MKR'), 'MKR'],
  ['a letter that looks like another', word(32) + word(5) + text('USDТ'), null],
  ['markup that breaks lines', word(32) + word(3) + text('<\n>'), null],
  ['a length beyond any symbol', word(32) + word(2n ** 255n) + text('USDT'), null],
  ['another place', word(2n ** 200n) + word(4) + text('USDT'), null],
  ['nothing', '', null],
])('reads %s', (_what, digits, symbol) => expect(symbolOf(digits)).toBe(symbol));
