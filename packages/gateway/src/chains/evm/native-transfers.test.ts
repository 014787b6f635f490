// Value inside transactions, from call trees as geth writes them: children of a failed frame carry no mark.
import { describe, expect, it } from 'vitest';
import { testCurrency } from '@ducat/testkit/chains/test-currencies';
import { type CallFrame, internalMovements, topLevelMovement } from './native-transfers.ts';

const coin = testCurrency(1000, null, 18);
const us = `0x${'ab'.repeat(20)}`;
const other = `0x${'06'.repeat(20)}`;

const frame = (change: CallFrame = {}, ...calls: readonly CallFrame[]): CallFrame => ({
  type: 'CALL',
  from: other,
  to: other,
  value: '0x0',
  ...change,
  ...(calls.length > 0 ? { calls } : {}),
});
const paysUs = frame({ to: us, value: '0x7' });
const failed = { error: 'execution reverted' };
const positions = (top: CallFrame): readonly string[] =>
  internalMovements(top, coin)
    .filter(({ to }) => to === us)
    .map(({ position, units }) => `${position}=${units}`);

describe('internalMovements', () => {
  it.each<readonly [string, CallFrame, readonly string[]]>([
    ['a call that pays', frame({}, paysUs), ['call:0=7']],
    ['A ok, B reverts, C pays', frame({}, frame(failed, paysUs)), []],
    ['A ok, B ok, C pays and reverts', frame({}, frame({}, frame({ to: us, value: '0x7', ...failed }))), []],
    ['A ok, B reverts, C ok, D pays', frame({}, frame(failed, frame({}, paysUs))), []],
    ['A ok, B pays, a sibling reverts', frame({}, frame(failed), paysUs), ['call:1=7']],
    ['two that pay, one deep', frame({}, paysUs, frame({}, frame(), paysUs)), ['call:0=7', 'call:1.1=7']],
    ['a delegatecall that shows value', frame({}, frame({ type: 'DELEGATECALL', to: us, value: '0x7' })), []],
    ['a callcode that shows value', frame({}, frame({ type: 'CALLCODE', to: us, value: '0x7' })), []],
    ['a call below a delegatecall', frame({}, frame({ type: 'DELEGATECALL' }, paysUs)), ['call:0.0=7']],
    ['a staticcall', frame({}, frame({ type: 'STATICCALL', to: us, value: undefined })), []],
    ['a selfdestruct', frame({}, frame({ type: 'SELFDESTRUCT', to: us, value: '0x7' })), ['call:0=7']],
    ['an endowment', frame({}, frame({ type: 'CREATE2', to: us, value: '0x7' })), ['call:0=7']],
    ['a failed creation', frame({}, frame({ type: 'CREATE', to: us, value: '0x7', ...failed })), []],
    [
      'an address in upper case',
      frame({}, frame({ to: `0x${us.slice(2).toUpperCase()}`, value: '0x7' })),
      ['call:0=7'],
    ],
  ])('reads %s', (_name, top, expected) => {
    expect(positions(top)).toEqual(expected);
  });

  it('gives the same position whether or not a node shows calls of precompiled contracts and staticcalls', () => {
    const precompiled = frame({ to: `0x${'0'.repeat(39)}4` });
    const looked = frame({ type: 'STATICCALL', value: undefined });
    expect(positions(frame({}, precompiled, looked, paysUs))).toEqual(positions(frame({}, paysUs)));
    // Value that goes to a precompiled contract moves, so every node shows it.
    expect(positions(frame({}, { ...precompiled, value: '0x1' }, paysUs))).toEqual(['call:1=7']);
  });

  it('does not guess at what it cannot read', () => {
    expect(() => positions(frame({}, frame({ type: 'AUTHCALL' })))).toThrow('unknown type AUTHCALL');
    expect(() => positions(frame({}, frame({ value: undefined })))).toThrow('without a value');
    expect(() => positions(frame({ calls: [7] }))).toThrow('no frames');
    expect(() => positions(frame({ calls: 'x' }))).toThrow('no frames');
    let deep = paysUs;
    for (let level = 0; level < 1_100; level++) deep = frame({}, deep);
    expect(() => positions(deep)).toThrow('deeper than');
  });
});

describe('topLevelMovement', () => {
  const transaction = { hash: '0x', from: other, to: us, value: '0x5', nonce: '0x0', input: '0x' };
  it('is the value of the transaction, to its receiver or to what it creates', () => {
    expect(topLevelMovement(transaction, coin)).toMatchObject({ to: us, units: 5n, position: 'value' });
    expect(topLevelMovement({ ...transaction, to: null }, coin)?.to).toMatch(/^0x[0-9a-f]{40}$/);
    expect(topLevelMovement({ ...transaction, value: '0x0' }, coin)).toBeNull();
    expect(topLevelMovement({ ...transaction, value: '0x00' }, coin)).toBeNull();
  });
});
