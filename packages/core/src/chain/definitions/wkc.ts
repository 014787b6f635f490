// WKC, an EVM chain by configuration: the operator states its id, nodes, finality and tokens before it is on.
import type { ChainDefinition } from '../chain.ts';

export const wkc: ChainDefinition = {
  name: 'WKC',
  family: 'evm',
  network: 'WKC20',
  series: 'ETH',
  monitorChainId: 4,
  chainId: 0,
  genesisHash: null,
  confirmations: 15,
  nodeFinality: 'finalized',
  windowBlocks: 256,
  blockTimeMs: 3_000,
  traceMethod: 'none',
  explorerUrl: '',
  publicRpcUrl: '',
  currencies: [
    { currencyId: 4000, symbol: 'WKC', contract: null, decimals: 18, displayDecimals: 8, enabled: true },
  ],
};
