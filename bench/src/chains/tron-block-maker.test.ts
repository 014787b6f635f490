// Shows that made blocks of Tron pass the reader's own proofs, and hold what was planned.
import { Readable } from 'node:stream';
import { configuredChains } from '@ducat/gateway/config/chains';
import type { HttpPost } from '@ducat/gateway/chains/rpc/http-post';
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

/** A reader of a node that answers from these blocks; `change` is what it changes in a body. */
function readerOf(change: (body: string) => string) {
  const url = 'http://127.0.0.1:1';
  const chainId = Number.parseInt(genesis.id.slice(-8), 16);
  const [configured] = configuredChains({ Tron: tronEntry({ url, chainId, genesisId: genesis.id }) });
  if (configured === undefined) throw new Error('Tron is configured');
  const answer = (call: string | undefined, { num, id_or_num }: { num?: number; id_or_num?: string }) => {
    const block = blocks[Number(num ?? id_or_num ?? 1)];
    if (call === 'getblock') return block?.header ?? '{}';
    return change((call === 'getblockbynum' ? block?.block : block?.receipts) ?? '{}');
  };
  const http: HttpPost = async ({ url: asked, body }) => {
    const text = answer(asked.split('/').at(-1), JSON.parse(body));
    return { status: 200, retryAfter: null, body: Readable.from([Buffer.from(text)]) };
  };
  const { definition, nodes } = configured;
  const [reader] = createTronReaders({ definition, rpcUrls: nodes.rpcUrls, world: realWorld, http });
  if (reader === undefined) throw new Error('there is one reader for each address');
  return {
    reader,
    query: { currencies: definition.currencies.filter(({ enabled }) => enabled), txIds: new Set<string>() },
  };
}

describe('a made block of Tron', () => {
  it('is proven by the reader, which finds the payments in it and nothing else', async () => {
    const { reader, query } = readerOf((body) => body);
    const block = await reader.block(1, query);
    expect(block?.header).toMatchObject({ number: 1, hash: first.id, parentHash: genesis.id });
    expect(block?.undecoded).toEqual([]);
    expect(
      block?.transfers.map(({ to: payee, amount }) => [payee, amount.currencyId, unitsOf(amount)]),
    ).toEqual([
      [to(1), TRON_USDT.id, 10_000_000n],
      [to(3), 3000, 7n],
    ]);
  });

  it('is not believed with one letter of a signature changed', async () => {
    const { reader, query } = readerOf((body) => body.replace(/("signature":\["[0-9a-f]{128})1b"/, '$11c"'));
    await expect(reader.block(1, query)).rejects.toThrow(/root/);
  });
});
