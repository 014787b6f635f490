// The addresses at which a payout would be lost or go in a circle are refused.
import { expect, it } from 'vitest';
import { checkDestination } from './destination.ts';

const token = `0x${'dac1'.repeat(10)}`;
const payee = `0x${'ab'.repeat(20)}`;

const reserved = 'to_address is the zero address or one that the chain has reserved';
const ours = 'to_address is an address of this gateway';

it.each([
  ['the zero address', `0x${'0'.repeat(40)}`, false, reserved],
  ['the zero address of Tron', `41${'0'.repeat(40)}`, false, reserved],
  ['a contract that the chain has built in', `0x${'0'.repeat(38)}0a`, false, reserved],
  ['a token', token, false, 'to_address is the contract of a token: what is sent there is lost'],
  ['an address of ours', payee, true, ours],
  ['an ordinary address', payee, false, null],
  ['one with many zeros', `0x${'0'.repeat(35)}1abcd`, false, null],
  ['a longer one', `0x${'0'.repeat(41)}`, false, null],
  ['one that ends with a reserved one', `ab0x${'0'.repeat(40)}`, false, null],
])('%s', (_what, address, isOurs, message) => {
  const checked = checkDestination({ address, tokenContracts: new Set([token]), isOurs });
  expect(checked).toEqual(
    message === null
      ? { ok: true, value: address }
      : { ok: false, refusal: { code: 'field-invalid', field: 'to_address', message } },
  );
});
