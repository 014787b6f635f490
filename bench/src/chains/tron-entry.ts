// The Tron of the benches as an operator would write it down: the real tokens, on the node that we serve ourselves.
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
    // A pace that no bench reaches: the limit is there for providers.
    requests_per_second: 1_000_000,
    chain_id: chainId,
    genesis_hash: genesisId,
    // How often the watcher looks while nothing is new; blocks come as fast as they are taken.
    block_time_ms: 450,
    start_block: 1,
  };
}
