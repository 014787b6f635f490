// The answer of a call for many balances is read for exactly so many.
import { expect, it } from 'vitest';
import { multicallData, readMulticall } from './multicall.ts';

const word = (value: bigint | number): string => value.toString(16).padStart(64, '0');

it('the answer of a call for many is read for exactly so many', () => {
  const parentHash = 'Ab'.repeat(32);
  const head = word(9) + parentHash;
  expect(readMulticall(head, 0)).toEqual({ at: 9, parentHash, units: [] });
  expect(readMulticall(head + word(5) + word(2n ** 256n - 1n), 2)).toEqual({
    at: 9,
    parentHash,
    units: [5n, null],
  });
  for (const [data, count] of [
    ['', 0],
    [word(9), 0],
    [head, 1],
    [head + word(1), 0],
    [`${head}00`, 0],
    [`${head.slice(0, -1)}x`, 0],
    [word(2n ** 64n) + parentHash, 0],
  ] as const)
    expect(readMulticall(data, count)).toBeNull();
});

it('a call names 20 bytes of each address, and of the token or of none', () => {
  const [code, one] = [multicallData(null, []).slice(0, -40), '1'.repeat(40)];
  expect(multicallData(null, [`0x${one}`, `41${one}`])).toBe(`${code}${'0'.repeat(40)}${one}${one}`);
  expect(multicallData(`41${one}`, [])).toBe(`${code}${one}`);
});
