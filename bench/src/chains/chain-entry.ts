// The configuration of the benches' EVM chain as an operator would write it: ETH on the node that the benches serve.
import type { ChainConfig } from '@ducat/gateway/config/schema';

export const USDT = { id: 1001, contract: '0xdac17f958d2ee523a2206206994597c13d831ec7' } as const;
export const USDC = { id: 1002, contract: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' } as const;

export function chainEntry(
  { url, chainId }: { readonly url: string; readonly chainId: number },
  changes: Partial<ChainConfig> = {},
): ChainConfig {
  return {
    rpc_urls: [url],
    chain_id: chainId,
    confirmations: 12,
    node_finality: 'none',
    block_time_ms: 450,
    traces: 'none',
    start_block: 1,
    ...changes,
  };
}
