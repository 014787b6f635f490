// Which test tokens the local chains get: the whole catalogue, each behaving like the real one where that matters.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { bsc } from '@ducat/core/chain/definitions/bsc';
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import type { PlannedToken } from '@ducat/devnet/local/local-chain-plan';
import type { LocalTokens } from '@ducat/devnet/local/local-chains';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';

/** By currency id; every other token behaves. */
const odd: Readonly<Record<number, PlannedToken['contract']>> = {
  // USDT on Ethereum returns nothing; PAXG and WKC may take a fee, and are off for that.
  1001: 'noReturnToken',
  1047: 'feeToken',
  2037: 'feeToken',
};

/** Tokens that are off are there too: an address is a place in the list, and must not move when one goes off. */
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
