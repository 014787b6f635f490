// Ethereum mainnet.
import type { ChainDefinition } from '../chain.ts';
import { ethTokens } from './eth-tokens.ts';

export const eth: ChainDefinition = {
  name: 'ETH',
  family: 'evm',
  network: 'ERC20',
  series: 'ETH',
  monitorChainId: 1,
  chainId: 1,
  genesisHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  confirmations: 12,
  nodeFinality: 'finalized',
  windowBlocks: 128,
  blockTimeMs: 12_000,
  traceMethod: 'debug',
  explorerUrl: 'https://etherscan.io',
  publicRpcUrl: '',
  currencies: [
    { currencyId: 1000, symbol: 'ETH', contract: null, decimals: 18, displayDecimals: 8, enabled: true },
    ...ethTokens,
  ],
};
