// Asks the providers of each chain what a plain transfer costs its sender, for the hint on the payment pages.
import type { ChainFamily } from '@ducat/core/chain/chain';
import { type Amount, amountOf } from '@ducat/core/money/amount';
import type { Config } from '../../config/load-config.ts';
import type { PagesDeps } from '../../roles/pages/port.ts';
import { openChainWriter, type OpenChain } from '../open-chain.ts';

/** An empty address of each family. Providers then estimate a usual transfer to a new address. */
const EMPTY: Readonly<Record<ChainFamily, string>> = {
  evm: `0x${'d0ca7'.repeat(8)}`,
  tron: `41${'d0ca7'.repeat(8)}`,
};
/** More than any address holds. */
const MUCH = 1n << 200n;

/** The estimate is null for a chain that is off, and for a transfer that the chain refuses. Opens no connection yet. */
export function createFeeEstimate(
  { chains }: Pick<Config, 'chains'>,
  openWith: (chain: string) => OpenChain,
): PagesDeps['estimateFee'] {
  const writers = new Map(
    chains.map((configured) => {
      const { name } = configured.definition;
      return [name, openChainWriter(configured, openWith(name))] as const;
    }),
  );
  return async ({ chain, currency }): Promise<Amount | null> => {
    const address = EMPTY[chain.family];
    const amount = amountOf(currency.currencyId, MUCH);
    const estimate = await writers
      .get(chain.name)
      ?.estimate({ from: address, to: address, currency, amount });
    return estimate?.outcome === 'possible' ? estimate.expected : null;
  };
}
