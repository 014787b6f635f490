// A block that the books skipped counts as it proves itself, or as a quorum reports it.
import { eth } from '@ducat/core/chain/definitions/eth';
import { headerAt, transferTo } from '@ducat/testkit/fixtures';
import { expect, it } from 'vitest';
import type { ChainBlock } from '../../../chains/port/reader.ts';
import { readFinal } from './read-final.ts';

const header = headerAt(7);
const [ours, other] = [
  transferTo('0xto', header, { txId: '0xours' }),
  transferTo('0xto', header, { txId: '0xother' }),
];

function blockOf(change: Partial<ChainBlock>): ChainBlock {
  const parts = { header, transfers: [ours, other], proposals: [], inclusions: [] };
  return { ...parts, isProven: true, ...change };
}

/** What a provider serves, and what a quorum reports of the same height. */
const look = (served: ChainBlock, reported: ChainBlock, final = header.hash, number = 7) =>
  readFinal(
    {
      definition: eth,
      finalBlock: () => Promise.resolve({ number, hash: final }),
      block: () => Promise.resolve(served),
      finalContents: (_number, _query, selectOurs) => selectOurs(reported),
    },
    7,
    new Set(['0xours']),
  );

// hits mark: a-skipped-block-is-proven
it('is what it proves, or what a quorum reports; another block of that height is not it', async () => {
  const empty = blockOf({ transfers: [], isProven: false });
  expect((await look(blockOf({}), empty))?.transfers).toEqual([ours]);
  expect((await look(blockOf({ isProven: false }), empty))?.transfers).toEqual([]);
  const lie = blockOf({ header: headerAt(7, { branch: 'b' }) });
  expect((await look(lie, empty))?.transfers).toEqual([]);
  expect(await look(lie, lie)).toBeNull();
  expect(await look(blockOf({}), empty, header.hash, 6)).toBeNull();
});
