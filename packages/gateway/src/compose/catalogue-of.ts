// Makes the catalogue that this gateway serves, from its chains, their checks and the suspensions.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import type { ChainReader } from '../chains/port/reader.ts';
import { type Catalogue, createCatalogue, type ServedChain } from '../roles/api/catalogue.ts';
import type { CurrencyCheck } from './currency-check.ts';
import type { Parts } from './parts.ts';

export function catalogueOf({ chains, config, currencies, suspensions }: Parts): Catalogue {
  return createCatalogue(servedChains(chains, config.chainsOff, currencies), (currencyId) =>
    suspensions.reasonFor(currencyId),
  );
}

/** Chains that are switched off, or not configured, are served as off, so that refusals can name their currencies. */
function servedChains(
  chains: readonly ChainReader[],
  chainsOff: readonly ChainDefinition[],
  currencies: CurrencyCheck,
): readonly ServedChain[] {
  const { isOn: isCurrencyOn, isUnasked } = currencies;
  const on = chains.map(({ definition }) => ({ definition, on: true, isCurrencyOn, isUnasked }));
  const configured = new Set(
    [...on.map(({ definition }) => definition), ...chainsOff].map(({ name }) => name),
  );
  const unconfigured = chainDefinitions.filter(({ name }) => !configured.has(name));
  const off = [...chainsOff, ...unconfigured].map((definition) => ({
    definition,
    on: false,
    isCurrencyOn: () => false,
  }));
  return [...on, ...off];
}
