// The configuration of the benches' Tron as an operator would write it: the real tokens, on the node that they serve.
import type { ChainConfig } from '@ducat/gateway/config/schema';

export const TRON_USDT = { id: 3001, contract: '41a614f803b6fd780986a42c78ec9c7f77e6ded13c' } as const;
/** A token that is off, as most tokens in a block are to most gateways. */
export const TRON_USDC = { id: 3002, contract: '413487b63d30b5b2c87fb7ffa8bcfade38eaac1abe' } as const;

export function tronEntry({
  url,
  chainId,
  genesisId,
}: {
  readonly url: string;
  readonly chainId: number;
  readonly genesisId: string;
}): ChainConfig {
  return {
    rpc_urls: [url],
    // A rate that no bench reaches, because the limit is there for real providers.
    requests_per_second: 1_000_000,
    chain_id: chainId,
    genesis_hash: genesisId,
    // The watcher's poll interval while nothing is new. Shown blocks are read as fast as the watcher can.
    block_time_ms: 450,
    start_block: 1,
  };
}
