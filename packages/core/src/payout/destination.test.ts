// The addresses at which a payout would be lost or go in a circle are refused.
import { expect, it } from 'vitest';
import { checkDestination } from './destination.ts';

const token = `0x${'dac1'.repeat(10)}`;
const payee = `0x${'ab'.repeat(20)}`;

it.each([
  ['the zero address', `0x${'0'.repeat(40)}`, false],
  ['the zero address of Tron', `41${'0'.repeat(40)}`, false],
  ['a contract that the chain has built in', `0x${'0'.repeat(38)}0a`, false],
  ['a token', token, false],
  ['an ordinary address', payee, true],
  ['one with many zeros', `0x${'0'.repeat(35)}1abcd`, true],
])('%s', (_what, address, ok) => {
  expect(checkDestination({ address, tokenContracts: new Set([token]), isOurs: false }).ok).toBe(ok);
});

it('an address of ours', () => {
  expect(checkDestination({ address: payee, tokenContracts: new Set(), isOurs: true })).toMatchObject({
    ok: false,
    refusal: { code: 'field-invalid', field: 'to_address' },
  });
});
