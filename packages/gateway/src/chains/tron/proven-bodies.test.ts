// What a root has proven once is not asked for again; whatever stands in no root is.
import { describe, expect, it } from 'vitest';
import { unitsOf } from '@ducat/core/money/amount';
import { LyingNode } from '../endpoint/lying-node.ts';
import { call, tokenHex, tokenLog, transfer } from '@ducat/testkit/chains/tron/read-bytes';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testDefinition } from '@ducat/testkit/chains/test-currencies';
import {
  bytes,
  type MinedBlock,
  mineBytes,
  ownerHex,
  transferPayload,
} from '@ducat/testkit/chains/tron/tron-bytes';
import { provenHeader, type ProvenHeader } from './block-header.ts';
import { TronEndpoint } from './endpoint.ts';
import { ProvenBodies } from './proven-bodies.ts';
import { readBlock } from './read-block.ts';
import { watchedOf } from './watched.ts';

const height = 9;
const watched = watchedOf([testCurrency(1000, null), testCurrency(1001, tokenHex)], 'debug');
const mine = (units: number): MinedBlock =>
  mineBytes(height, [
    { raw: transfer(transferPayload(units)) },
    {
      raw: call(bytes(1, ownerHex) + bytes(2, tokenHex)),
      executed: 'SUCCESS',
      receipt: { log: [tokenLog] },
    },
  ]);
const mined = mine(5);
const fork = mine(6);

interface Told {
  readonly block: unknown;
  readonly header?: unknown;
  readonly receipts: unknown;
}

/** An endpoint whose two views tell these, and which calls they were asked. */
function open(full: Told, solid: Told) {
  const asked: string[] = [];
  const view =
    (name: string, { block, header = block, receipts }: Told) =>
    async (method: string) => {
      asked.push(`${name} ${method}`);
      if (method === 'getblock') return header;
      return method === 'getblockbynum' ? block : receipts;
    };
  const views = { full: view('full', full), solid: view('solid', solid) };
  const definition = testDefinition({ family: 'tron' });
  const more = { definition, world: manualWorld(), unhurried: views };
  const endpoint = new TronEndpoint({ name: 'node', ...views, ...more });
  const read = async (which: 'full' | 'solid'): Promise<readonly bigint[]> => {
    const { transfers } = await readBlock(endpoint, which, 'TRON', height, watched);
    return transfers.map(({ amount }) => unitsOf(amount));
  };
  return { asked, read };
}

const headOf = ({ block }: MinedBlock) => ({
  blockID: block['blockID'],
  block_header: block['block_header'],
});
const asked = (...calls: readonly string[]) => calls;

describe('a block whose transactions were proven from the head', () => {
  it('is asked for its header and its receipts once it cannot change', async () => {
    const node = open(mined, { block: headOf(mined), receipts: mined.receipts });
    expect(await node.read('full')).toEqual([5n, 5n]);
    expect(await node.read('solid')).toEqual([5n, 5n]);
    expect(node.asked).toEqual(
      asked(
        'full getblockbynum',
        'full gettransactioninfobyblocknum',
        'solid getblock',
        'solid gettransactioninfobyblocknum',
      ),
    );
  });

  it('is counted by the receipts of the view that cannot change', async () => {
    const [first, second] = mined.receipts;
    const node = open(mined, { block: headOf(mined), receipts: [first, { ...second, log: [] }] });
    expect(await node.read('full')).toEqual([5n, 5n]);
    expect(await node.read('solid')).toEqual([5n]);
  });

  it.each([
    ['of another transaction', mined.receipts.toReversed()],
    ['too few', mined.receipts.slice(1)],
    ['of the block in its place', fork.receipts],
  ])('does not believe receipts that are %s', async (_, receipts) => {
    const node = open(mined, { block: headOf(mined), receipts });
    await node.read('full');
    await expect(node.read('solid')).rejects.toThrow(LyingNode);
  });

  it('is read anew where another block stands in its place', async () => {
    const node = open(mined, fork);
    expect(await node.read('full')).toEqual([5n, 5n]);
    expect(await node.read('solid')).toEqual([6n, 5n]);
    expect(node.asked.slice(2)).toEqual(
      asked('solid getblock', 'solid getblockbynum', 'solid gettransactioninfobyblocknum'),
    );
  });

  it('does not lend them to a header with another id or another root', async () => {
    const { block } = fork;
    const borrowed = { ...headOf(mined), block_header: block['block_header'] };
    const node = open(mined, { block: fork.block, header: borrowed, receipts: mined.receipts });
    await node.read('full');
    await expect(node.read('solid')).rejects.toThrow(/does not give its id/);
  });
});

it('transactions that do not give the root are read again', async () => {
  // hits mark: only-what-gives-the-root
  const transactions = mined.block['transactions'];
  const unsigned = (Array.isArray(transactions) ? transactions : []).map((one: object) => ({
    ...one,
    signature: [],
  }));
  const node = open({ ...mined, block: { ...mined.block, transactions: unsigned } }, mined);
  await expect(node.read('full')).rejects.toThrow(/do not give its root/);
  expect(await node.read('solid')).toEqual([5n, 5n]);
  expect(node.asked.slice(2)).toEqual(asked('solid getblockbynum', 'solid gettransactioninfobyblocknum'));
});

it('keeps so many transactions at the most, and drops the oldest', () => {
  const bodies = new ProvenBodies();
  const proven = provenHeader(mined.block);
  if (proven === null) throw new Error('the block has no header');
  const at = (number: number): ProvenHeader => ({ ...proven, header: { ...proven.header, number } });
  const transaction = {
    id: 'a',
    outcome: 'succeeded',
    contract: { type: 1, value: null, unclear: null },
  } as const;
  const full = { transactions: Array.from({ length: 9_999 }, () => transaction), isProven: true };
  for (const number of [1, 2, 3, 1, 4]) bodies.keep(at(number), full);
  expect([1, 2, 3, 4].filter((number) => bodies.has(number))).toEqual([1, 3, 4]);
  expect(bodies.of(at(1))?.transactions).toHaveLength(9_999);
  bodies.keep(at(5), { transactions: Array.from({ length: 40_000 }, () => transaction), isProven: true });
  expect([1, 2, 3, 4, 5].some((number) => bodies.has(number))).toBe(false);
});
