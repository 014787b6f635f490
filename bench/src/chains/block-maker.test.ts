// Shows that made blocks pass the adapter's own proofs, and that one changed letter does not.
import { receiptsRoot, transactionsRoot } from '@ducat/testkit/chains/evm/blocks/block-roots';
import { checkHeaderHash } from '@ducat/gateway/chains/evm/header-hash';
import { blockAnswer, receiptsAnswer } from '@ducat/testkit/chains/evm/blocks/raw-block';
import { expect, it } from 'vitest';
import { makeBlock } from './block-maker.ts';
import { madeAddress } from '../rows/made-rows.ts';

const made = makeBlock({
  chainId: 31_337,
  number: 7,
  parentHash: `0x${'1'.repeat(64)}`,
  time: 1_700_000_000,
  spends: [
    { to: madeAddress(1), units: 5n, token: null },
    { to: madeAddress(2), units: 10_000_000n, token: '0xdac17f958d2ee523a2206206994597c13d831ec7' },
  ],
});

it('proves its header, its transactions and its receipts', () => {
  const block = blockAnswer(JSON.parse(made.block));
  const receipts = receiptsAnswer(JSON.parse(made.receipts));
  if (block === null) throw new Error('there is a block');
  expect(checkHeaderHash(block)).toEqual([]);
  expect(block.hash).toBe(made.hash);
  const { root, ids } = transactionsRoot(block.transactions);
  expect(root).toBe(block.transactionsRoot);
  expect(ids).toEqual(block.transactions.map(({ hash }) => hash));
  expect(receiptsRoot(receipts)).toBe(block.receiptsRoot);
});

it('does not prove another header', () => {
  const block = blockAnswer(
    JSON.parse(made.block.replace('"timestamp":"0x6553f100"', '"timestamp":"0x6553f101"')),
  );
  if (block === null) throw new Error('there is a block');
  expect(() => checkHeaderHash(block)).toThrow(/hash/);
});
