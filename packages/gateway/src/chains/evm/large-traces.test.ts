// What a payer or a node makes so large that nothing should be spent on it: bounded bytes, and no text of everything.
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChainPort } from '../port.ts';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { bloatCode, callCode } from '@ducat/testkit/chains/evm/evm-contracts';
import { assemble } from '@ducat/testkit/chains/evm/evm-program';
import { startLyingProxy } from '@ducat/testkit/chains/evm/lying-proxy';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import { createEvmChain } from './evm-chain.ts';

const stranger = `0x${'c1'.repeat(20)}`;
const inside = { data: `0x${assemble(...callCode(stranger, 5n), 'STOP')}`, value: 5n, gas: 200_000 };
const definition = testDefinition();
const mega = 1_000_000;
let payer: AnvilPayer;
/** Thirty ordinary transactions, and one that makes 125 MB of trace. */
let bloated: number;
let bloat: string;
beforeAll(async () => {
  payer = await AnvilPayer.start();
  for (let sent = 0; sent < 30; sent++) await payer.send(inside);
  ({ block: bloated, id: bloat } = await payer.sendAndMine({ data: `0x${bloatCode()}`, gas: 2_000_000 }));
});
afterAll(() => payer.chain.stop());

function counting() {
  let bytes = 0;
  const counted: typeof globalThis.fetch = async (url, init) => {
    const { body, status } = await fetch(url, init);
    const through = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, out) {
        bytes += chunk.byteLength;
        out.enqueue(chunk);
      },
    });
    return new Response(body?.pipeThrough(through) ?? null, { status });
  };
  const taken = (): number => {
    const before = bytes;
    bytes = 0;
    return before;
  };
  return { fetch: counted, taken };
}

const chainOf = (rpcUrls: readonly string[], fetch = globalThis.fetch): ChainPort =>
  createEvmChain({ definition, rpcUrls, world: manualWorld(), fetch });

describe('one transaction with a huge trace', () => {
  it('costs a small number of bytes, and fewer where its block is read again', async () => {
    const { fetch, taken } = counting();
    const chain = chainOf([payer.chain.rpcUrl, payer.chain.rpcUrl], fetch);
    const limits = [2 * 24 * mega, 2 * 4 * mega];
    for (const most of limits) {
      const told = await chain.readBlock(bloated, definition.currencies);
      expect(told?.untraced).toEqual([{ txId: bloat, reason: 'too-much-to-trace' }]);
      expect(
        told?.transfers.filter(({ to, amount }) => to === stranger && unitsOf(amount) === 5n),
      ).toHaveLength(30);
      expect(taken()).toBeLessThan(most);
    }
    expect(chain.health().every(({ healthy }) => healthy)).toBe(true);
  });
});

describe('a trace that no text can hold', () => {
  const place = `0x${'1'.repeat(40)}`;
  const leaf = `{"type":"CALL","from":"${place}","to":"${place}","value":"0x1"}`;
  const bombOf = (bytes: number, depth: number): string => {
    const leaves = Array.from({ length: Math.floor(bytes / leaf.length) }, () => leaf).join(',');
    return `${'{"type":"CALL","value":"0x0","calls":['.repeat(depth)}${leaves}${']}'.repeat(depth)}`;
  };

  it.each([
    ['63 MB deep', 60 * mega, 1_000, false],
    ['15 MB deep, as a whole', 14 * mega, 1_000, true],
    ['3 MB deep', 3 * mega, 1_000, false],
  ] as const)('is a bad answer of that endpoint alone: %s', async (_name, bytes, depth, isWhole) => {
    const bomb = bombOf(bytes, depth);
    const liar = await startLyingProxy(payer.chain.rpcUrl);
    const paying = (await payer.sendAndMine(inside)).block;
    const armed = (top: unknown): string =>
      JSON.stringify(Object.assign({}, top, { calls: ['BOMB'] })).replace('"BOMB"', () => bomb);
    liar.lie({
      body: (body, [method = '']) => {
        if (!method.startsWith('debug_')) return { body };
        const answer = JSON.parse(body);
        const [one = answer] = Array.isArray(answer) ? answer : [];
        const { id, result } = one;
        if (method === 'debug_traceBlockByHash') {
          const error = { code: -32_000, message: 'execution timeout' };
          if (!isWhole) return { body: JSON.stringify({ jsonrpc: '2.0', id, error }) };
          return { body: `{"jsonrpc":"2.0","id":${id},"result":[{"result":${armed(result[0].result)}}]}` };
        }
        const told = `{"jsonrpc":"2.0","id":${id},"result":${armed(result)}}`;
        return { body: Array.isArray(answer) ? `[${told}]` : told };
      },
    });
    const { rpcUrl } = payer.chain;
    for (const urls of [
      [rpcUrl, liar.url, rpcUrl],
      [liar.url, rpcUrl, rpcUrl],
    ]) {
      const told = await chainOf(urls).readBlock(paying, definition.currencies);
      expect(told?.transfers.map(({ to }) => to)).toContain(stranger);
      expect(told?.untraced).toEqual([]);
    }
    for (const urls of [[rpcUrl, liar.url], [liar.url]]) {
      const told = await chainOf(urls).readBlock(paying, definition.currencies);
      expect(told?.untraced).toMatchObject([{ reason: 'too-much-to-trace' }]);
    }
    await liar.stop();
  });
});
