// A definition of a chain for tests, with a coin and tokens at the addresses that the test made.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';

/** A currency whose number, contract and decimals a test decides. */
export function testCurrency(currencyId: number, contract: string | null, decimals = 6): Currency {
  return { currencyId, symbol: `T${currencyId}`, contract, decimals, displayDecimals: 6, enabled: true };
}

export function testDefinition(change: Partial<ChainDefinition> = {}): ChainDefinition {
  return {
    name: 'TEST',
    family: 'evm',
    network: 'ERC20',
    series: 'ETH',
    monitorChainId: 1,
    chainId: 31_337,
    genesisHash: null,
    confirmations: 3,
    nodeFinality: 'finalized',
    windowBlocks: 64,
    blockTimeMs: 1_000,
    traceMethod: 'debug',
    explorerUrl: '',
    publicRpcUrl: '',
    currencies: [testCurrency(1000, null, 18)],
    ...change,
  };
}

/** The definition of a Tron dev chain, whose chain id is in its genesis. */
export async function testTronDefinition(
  fullUrl: string,
  change: Partial<ChainDefinition> = {},
): Promise<ChainDefinition> {
  const response = await fetch(`${fullUrl}/wallet/getblock`, { method: 'POST', body: '{"id_or_num":"0"}' });
  const { blockID } = (await response.json()) as { readonly blockID: string };
  return testDefinition({
    family: 'tron',
    network: 'TRC20',
    series: 'TRON',
    chainId: Number.parseInt(blockID.slice(-8), 16),
    genesisHash: blockID,
    currencies: [testCurrency(1000, null)],
    ...change,
  });
}
