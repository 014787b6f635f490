// What the EVM adapter needs before it starts, and what it admits that it cannot show.
import { describe, expect, it } from 'vitest';
import { realWorld } from '../../runtime/world.ts';
import { testDefinition } from '@ducat/testkit/chains/test-currencies';
import { createEvmChain } from './evm-chain.ts';

const chainOf = (rpcUrls: readonly string[], change = {}) =>
  createEvmChain({ definition: testDefinition(change), rpcUrls, world: realWorld });

describe('createEvmChain', () => {
  it('asks nobody before it is asked', () => {
    expect(chainOf(['http://127.0.0.1:1']).health()).toEqual([
      { endpoint: '127.0.0.1:1', healthy: true, lastError: null },
    ]);
  });
  it('is not made without an address, with one that is no URL, or without a chain id', () => {
    expect(() => chainOf([])).toThrow('has no RPC address');
    expect(() => chainOf(['localhost'])).toThrow('not an http or https URL');
    expect(() => chainOf(['http://127.0.0.1:1'], { chainId: 0 })).toThrow('without a chain id');
  });
  it('tells endpoints of one host apart', () => {
    const names = chainOf(['http://127.0.0.1:1/a', 'http://127.0.0.1:1/b', 'http://127.0.0.1:2']).health();
    expect(names.map(({ endpoint }) => endpoint)).toEqual(['127.0.0.1:1#1', '127.0.0.1:1#2', '127.0.0.1:2']);
  });
  it('states its gaps', () => {
    const genesisHash = `0x${'1'.repeat(64)}`;
    expect(chainOf(['http://a.test', 'http://b.test'], { genesisHash }).gaps()).toEqual([]);
    expect(chainOf(['http://a.test'], { traceMethod: 'none', genesisHash }).gaps()).toEqual([
      expect.stringContaining('moves inside a transaction'),
      expect.stringContaining('one endpoint'),
    ]);
  });
  it('says that the genesis block is not checked where none is stated', () => {
    expect(chainOf(['http://a.test', 'http://b.test'], { genesisHash: null }).gaps()).toEqual([
      expect.stringContaining('No genesis_hash is stated'),
    ]);
  });
  it('rests an endpoint that keeps failing, and says why', async () => {
    const chain = chainOf(['http://127.0.0.1:1']);
    for (let time = 0; time < 3; time++) await expect(chain.head()).rejects.toThrow('cannot be reached');
    await expect(chain.head()).rejects.toThrow(/TEST: 127\.0\.0\.1:1 rests: cannot be reached/);
    expect(chain.health()[0]?.healthy).toBe(false);
  });
});
