// Shows that made blocks pass the reader's own proofs, and that one changed letter does not.
import { unitsOf } from '@ducat/core/money/amount';
import { createEvmReaders } from '@ducat/gateway/chains/evm/evm-reader';
import type { ChainBlock } from '@ducat/gateway/chains/port/reader';
import { configuredChains } from '@ducat/gateway/config/chains';
import { realWorld } from '@ducat/gateway/runtime/world';
import { expect, it } from 'vitest';
import { madeAddress } from '../rows/made-rows.ts';
import { makeBlock } from './block-maker.ts';
import { chainEntry, USDT } from './chain-entry.ts';

const chainId = 31_337;
const made = makeBlock({
  chainId,
  number: 7,
  parentHash: `0x${'1'.repeat(64)}`,
  time: 1_700_000_000,
  spends: [
    { to: madeAddress(1), units: 5n, token: null },
    { to: madeAddress(2), units: 10_000_000n, token: USDT.contract },
  ],
});

/** The block as the gateway's reader gets it from a node that answers with it. */
async function read(block: string): Promise<ChainBlock | null | undefined> {
  const [configured] = configuredChains({ ETH: chainEntry({ url: 'http://127.0.0.1:1', chainId }) });
  if (configured === undefined) throw new Error('ETH is configured');
  const results: Readonly<Record<string, string>> = {
    eth_chainId: `"0x${chainId.toString(16)}"`,
    eth_getBlockByNumber: block,
    eth_getBlockReceipts: made.receipts,
  };
  const { definition, nodes } = configured;
  const [reader] = createEvmReaders({
    definition: { ...definition, genesisHash: null },
    ...nodes,
    world: realWorld,
    http: ({ body }) => {
      const { id, method }: { readonly id: number; readonly method: string } = JSON.parse(body);
      const answer = Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${results[method] ?? 'null'}}`);
      return Promise.resolve({ status: 200, body: bytes(answer) });
    },
  });
  return reader?.block(7, { currencies: definition.currencies, txIds: new Set() });
}

async function* bytes(answer: Uint8Array): AsyncIterable<Uint8Array> {
  yield answer;
}

it('proves its header, its transactions and its receipts', async () => {
  const block = await read(made.block);
  expect(block).toMatchObject({ header: { number: 7, hash: made.hash }, isProven: true });
  expect(block?.transfers.map(({ to, amount }) => [to, unitsOf(amount)])).toEqual([
    [madeAddress(1), 5n],
    [madeAddress(2), 10_000_000n],
  ]);
});

it.each([
  ['"timestamp":"0x6553f100"', '"timestamp":"0x6553f101"'],
  ['"value":"0x5"', '"value":"0x6"'],
])('does not prove another one: %s', async (from, to) => {
  expect(made.block).toContain(from);
  await expect(read(made.block.replace(from, to))).rejects.toMatchObject({ kind: 'invalid' });
});
