// Shows that made blocks of Tron pass the reader's own proofs over the node's own HTTP, and hold what was planned.
import { configuredChains } from '@ducat/gateway/config/chains';
import type { ChainBlock } from '@ducat/gateway/chains/port/reader';
import { createTronReaders } from '@ducat/gateway/chains/tron/tron-reader';
import { realWorld } from '@ducat/gateway/runtime/world';
import { unitsOf } from '@ducat/core/money/amount';
import { describe, expect, it } from 'vitest';
import { makeTronBlock, type TronSpend } from './tron-block-maker.ts';
import { TRON_USDC, TRON_USDT, tronEntry } from './tron-entry.ts';

const to = (place: number): string => `41${place.toString(16).padStart(40, 'b')}`;
const spends: readonly TronSpend[] = [
  { kind: 'token', to: to(1), units: 10_000_000n, token: TRON_USDT.contract },
  { kind: 'token', to: to(2), units: 5n, token: TRON_USDC.contract },
  { kind: 'coin', to: to(3), units: 7n },
  { kind: 'asset', to: to(4), units: 8n },
  { kind: 'delegate', to: to(5), units: 9_000_000n },
];
const genesis = makeTronBlock({ number: 0, parentId: '0'.repeat(64), timeMs: 1_700_000_000_000, spends: [] });
const first = makeTronBlock({ number: 1, parentId: genesis.id, timeMs: 1_700_000_003_000, spends });
const blocks = [genesis, first];

/** The reader of a node that answers from these blocks; `change` is what it changes in a body. */
async function read(change: (body: string) => string): Promise<ChainBlock | null | undefined> {
  const url = 'http://127.0.0.1:1';
  const chainId = Number.parseInt(genesis.id.slice(-8), 16);
  const [configured] = configuredChains({ Tron: tronEntry({ url, chainId, genesisId: genesis.id }) });
  if (configured === undefined) throw new Error('Tron is configured');
  const { definition, nodes } = configured;
  const [reader] = createTronReaders({
    definition,
    ...nodes,
    world: realWorld,
    http: ({ url: asked, body }) => {
      const { num, id_or_num } = JSON.parse(body);
      const block = blocks[Number(num ?? id_or_num ?? 1)];
      const call = asked.split('/').at(-1);
      const whole = call === 'getblockbynum' ? block?.block : block?.receipts;
      const answer = call === 'getblock' ? block?.header : change(whole ?? '{}');
      return Promise.resolve({ status: 200, body: bytes(answer ?? '{}') });
    },
  });
  const currencies = definition.currencies.filter(({ enabled }) => enabled);
  return reader?.block(1, { currencies, txIds: new Set() });
}

async function* bytes(answer: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(answer);
}

describe('a made block of Tron', () => {
  it('is proven by the reader, which finds the payments in it and nothing else', async () => {
    const block = await read((body) => body);
    expect(block?.header).toMatchObject({ number: 1, hash: first.id, parentHash: genesis.id });
    expect(
      block?.transfers.map(({ to: payee, amount }) => [payee, amount.currencyId, unitsOf(amount)]),
    ).toEqual([
      [to(1), TRON_USDT.id, 10_000_000n],
      [to(3), 3000, 7n],
    ]);
  });

  it('is not proven with one letter of a signature changed', async () => {
    const changed = read((body) => body.replace(/("signature":\["[0-9a-f]{128})1b"/, '$11c"'));
    await expect(changed).rejects.toThrow(/root/);
  });
});
