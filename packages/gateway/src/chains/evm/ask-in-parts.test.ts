// Questions in parts: the order is kept, and only what is too much alone is left open.
import { describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { askInParts } from './ask-in-parts.ts';
import type { Rpc, RpcRequest } from './rpc.ts';
import { TooMuch } from '../endpoint/too-much.ts';

/** Answers each request with its parameter; a batch whose parameters come to more than 40 is too much. */
function nodeOf(alive = true): { readonly rpc: Rpc; readonly batches: number[] } {
  const batches: number[] = [];
  const rpc: Rpc = {
    name: 'node',
    call: async () => {
      if (!alive) throw new Outage('is gone', { retryable: true });
      return '0x1';
    },
    batch: async (requests) => {
      batches.push(requests.length);
      const sizes = requests.map(({ params }) => Number(params[0]));
      if (sizes.reduce((sum, size) => sum + size, 0) > 40) throw new TooMuch('is too much');
      return sizes;
    },
  };
  return { rpc, batches };
}

const requestsOf = (sizes: readonly number[]): readonly RpcRequest[] =>
  sizes.map((size) => ({ method: 'size', params: [size] }));
const ones = Array.from({ length: 70 }, () => 1);

describe('askInParts', () => {
  it('asks in parts of 32 where nothing is too much', async () => {
    const { rpc, batches } = nodeOf();
    expect(await askInParts(rpc, requestsOf(ones))).toEqual(ones);
    expect(batches).toEqual([32, 32, 6]);
    expect(await askInParts(rpc, [])).toEqual([]);
  });
  it('leaves out only what is too much alone', async () => {
    const { rpc, batches } = nodeOf();
    expect(await askInParts(rpc, requestsOf(ones.with(40, 99)))).toEqual(ones.with(40, undefined as never));
    expect(batches.length).toBeLessThan(16);
  });
  it('does not take a node that is gone for a question of size', async () => {
    await expect(askInParts(nodeOf(false).rpc, requestsOf([99]))).rejects.toThrow('is gone');
  });
});
