// BNB Smart Chain mainnet. Its USDT and USDC have 18 decimals, not the 6 of other chains.
import type { ChainDefinition } from '../chain.ts';
import { bscTokens } from './bsc-tokens.ts';

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
    ...bscTokens,
  ],
};
