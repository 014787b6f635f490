// The test tokens of the local chains: the whole catalogue, each behaving like the real token where that matters.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { bsc } from '@ducat/core/chain/definitions/bsc';
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import type { PlannedToken } from '@ducat/devnet/local/local-chain-plan';
import type { LocalTokens } from '@ducat/devnet/local/local-chains';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';

/** The tokens that behave unusually, by currency id. All other tokens behave normally. */
const odd: Readonly<Record<number, PlannedToken['contract']>> = {
  // USDT on Ethereum returns nothing; PAXG and WKC may take a fee, and are off for that.
  1001: 'noReturnToken',
  1047: 'feeToken',
  2037: 'feeToken',
};

/**
 * The tokens that are off are deployed too. A token's address depends on its place in the list, and must not change
 * when a token goes off.
 */
export const demoTokens: LocalTokens = {
  ETH: tokensOf(eth),
  BSC: tokensOf(bsc),
  Tron: tron.currencies.flatMap(({ symbol, decimals, contract }) => {
    if (contract === null) return [];
    const address = addressSchemes.tron.display(contract);
    const like = symbol === 'USDT' ? ('usdt' as const) : ('standard' as const);
    return [{ symbol, name: `Test ${symbol}`, decimals, address, like }];
  }),
};

function tokensOf({ currencies }: ChainDefinition): readonly PlannedToken[] {
  return currencies
    .filter(({ contract }) => contract !== null)
    .map(({ currencyId, symbol, decimals }) => ({
      symbol,
      name: `Test ${symbol}`,
      decimals,
      contract: odd[currencyId] ?? 'testToken',
    }));
}
