// Tron mainnet. Addresses are 21 bytes as lower-case hex inside (41...), base58check outside.
import type { ChainDefinition } from '../chain.ts';
import { tronTokens } from './tron-tokens.ts';

export const tron: ChainDefinition = {
  name: 'Tron',
  family: 'tron',
  network: 'TRC20',
  series: 'TRON',
  monitorChainId: 3,
  chainId: 728_126_428,
  genesisHash: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc',
  confirmations: 19,
  // A node's own word for it is "solidified": 19 of the 27 representatives have built on the block.
  nodeFinality: 'finalized',
  windowBlocks: 128,
  blockTimeMs: 3_000,
  // TRX that contracts send stands in the receipts of nodes that keep it (vm.saveInternalTx), and nothing is traced.
  traceMethod: 'none',
  explorerUrl: 'https://tronscan.org',
  publicRpcUrl: '',
  currencies: [
    { currencyId: 3000, symbol: 'TRX', contract: null, decimals: 6, displayDecimals: 6, enabled: true },
    ...tronTokens,
  ],
};
