// What is listed of a signing log: the signatures of one address, from a nonce on, and nothing of a log that was changed.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import {
  evmPayout,
  openSigningPlace,
  type SigningPlace,
  startMs,
  tronPayout,
  wallet,
} from '../testing/signing-place.ts';
import { listSigned } from './list-signed.ts';

let place: SigningPlace;
beforeEach(() => {
  place = openSigningPlace();
});
afterEach(() => place.remove());

const evm = () => place.keyring.address('evm', wallet);
const tron = () => place.keyring.address('tron', wallet);

it('lists what an address signed from a nonce on, and neither refusals nor other addresses', () => {
  for (const [nonce, id] of ['a', 'b', 'c'].entries())
    expect(place.ask(evmPayout(id, nonce))).toMatchObject({ outcome: 'signed' });
  expect(place.ask(evmPayout('d', 3, { baseUnits: 10_000n }))).toMatchObject({ outcome: 'refused' });
  const paid = place.ask(tronPayout({ kind: 'payout', id: 'e', approval: null }, startMs));
  expect(paid).toMatchObject({ outcome: 'signed' });

  const from = (address: string, nonce: number) =>
    listSigned(place.logPath, { from: address, nonce }).signed.map(({ intent }) => intent.subject.id);
  expect(from(evm(), 0)).toEqual(['a', 'b', 'c']);
  expect(from(evm(), 1)).toEqual(['b', 'c']);
  // A chain without nonces lists all.
  expect(from(tron(), 9)).toEqual(['e']);
  expect(listSigned(place.logPath, { from: tron(), nonce: 0 }).signed).toMatchObject([
    { sequence: 6, atMs: startMs, txId: 'txId' in paid ? paid.txId : '' },
  ]);
});

it('passes over a last line that is being written, and refuses a log with a changed line', () => {
  place.ask(evmPayout('a', 0));
  const whole = readFileSync(place.logPath, 'utf8');
  appendFileSync(place.logPath, '{"sequence":3,');
  expect(listSigned(place.logPath, { from: evm(), nonce: 0 }).signed).toHaveLength(1);
  expect(readFileSync(place.logPath, 'utf8')).toBe(`${whole}{"sequence":3,`);
  writeFileSync(place.logPath, whole.replace('"baseUnits":"100"', '"baseUnits":"101"'));
  expect(() => listSigned(place.logPath, { from: evm(), nonce: 0 })).toThrow('Line 2');
});
