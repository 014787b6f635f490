// Skipped blocks are searched for transactions of ours one by one, each as a quorum shows it.
import { eth } from '@ducat/core/chain/definitions/eth';
import { amountOf } from '@ducat/core/money/amount';
import { headerAt, START_TIME } from '@ducat/testkit/fixtures';
import { expect, it } from 'vitest';
import { searchFinal } from './search-final.ts';

/** Blocks up to 9 are final; block 6 holds `0xours`. */
const chain = {
  definition: eth,
  finalBlock: (number: number) =>
    Promise.resolve(number > 9 ? null : { number, hash: headerAt(number).hash }),
  block: (number: number) => {
    const header = headerAt(number);
    const fee = amountOf(1000, 1n);
    const held = {
      chain: 'ETH',
      txId: '0xours',
      block: header,
      status: 'succeeded',
      payer: '0xw',
      fee,
    } as const;
    const inclusions = number === 6 ? [held] : [];
    const parts = { header, transfers: [], proposals: [], inclusions };
    return Promise.resolve({ ...parts, isProven: true });
  },
  finalContents: () => Promise.reject(new Error('each block proves itself')),
};

const search = (txId: string, from: number, below: number, expiresAtMs: number, most = 99) =>
  searchFinal(chain, { from, below, expiresAtMs, txIds: new Set([txId]), failedToo: true }, most);

// hits mark: searched-until-one-is-held
it('is over where one is held, where all have expired, and where the books go on', async () => {
  const never = Number.MAX_SAFE_INTEGER;
  expect(await search('0xours', 3, 9, never)).toEqual({ outcome: 'held', number: 6 });
  const whole = { from: 3, to: 8, time: headerAt(8).time };
  expect(await search('0xother', 3, 9, never)).toEqual({ outcome: 'searched', searched: whole });
  // A block of the very second could still hold it.
  const part = { from: 3, to: 6, time: headerAt(6).time };
  const expiresAtMs = headerAt(5).time * 1_000;
  expect(headerAt(5).time).toBeGreaterThan(START_TIME);
  expect(await search('0xother', 3, 9, expiresAtMs)).toEqual({ outcome: 'searched', searched: part });
  expect(await search('0xother', 3, 12, never)).toEqual({ outcome: 'not-final', number: 10 });
  expect(await search('0xother', 3, 9, never, 2)).toEqual({ outcome: 'too-many' });
});
