// BNB Smart Chain mainnet. Its USDT and USDC have 18 decimals, not the 6 of other chains.
import type { ChainDefinition } from '../chain.ts';

export const bsc: ChainDefinition = {
  name: 'BSC',
  family: 'evm',
  network: 'BEP20',
  series: 'ETH',
  monitorChainId: 2,
  chainId: 56,
  genesisHash: '0x0d21840abff46b96c84b2ac9e10e4f5cdaeb5693cb665db62a2f3b02d2d57b5b',
  confirmations: 15,
  nodeFinality: 'finalized',
  windowBlocks: 256,
  blockTimeMs: 450,
  traceMethod: 'debug',
  explorerUrl: 'https://bscscan.com',
  publicRpcUrl: '',
  currencies: [
    { currencyId: 2000, symbol: 'BNB', contract: null, decimals: 18, displayDecimals: 8, enabled: true },
    {
      currencyId: 2001,
      symbol: 'USDT',
      contract: '0x55d398326f99059ff775485246999027b3197955',
      decimals: 18,
      displayDecimals: 2,
      enabled: true,
    },
    {
      currencyId: 2002,
      symbol: 'USDC',
      contract: '0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d',
      decimals: 18,
      displayDecimals: 2,
      enabled: true,
    },
  ],
};
