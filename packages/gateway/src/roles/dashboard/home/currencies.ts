// currencies.list: what the numbers of currencies mean, with their logos and explorers.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { answer, type Handler } from '../call.ts';
import type { DashboardListing, DataDeps } from '../data-port.ts';

export const handleCurrencyList: Handler<'currencies.list'> = async ({ deps }) => {
  const listings = deps.catalogue
    .chains()
    .flatMap(({ definition: chain }) => chain.currencies.map((currency) => ({ chain, currency })));
  return answer({ currencies: listings.map((listing) => presentCurrency(deps, listing)) });
};

type Presented = ResponseOf<'currencies.list'>['currencies'][number];

export function presentCurrency(
  { catalogue, addressSchemes, publicUrl }: DataDeps,
  { chain, currency }: DashboardListing,
): Presented {
  const { currencyId, contract } = currency;
  return {
    currency_id: currencyId,
    symbol: currency.symbol,
    chain: chain.name,
    family: chain.family,
    chain_id: chain.chainId,
    network: chain.network,
    decimals: currency.decimals,
    contract: contract === null ? null : addressSchemes[chain.family].display(contract),
    logo: `${publicUrl}/logos/${currencyId}.svg`,
    is_on: catalogue.isOn(currencyId),
    suspended: catalogue.suspension(currencyId),
    confirmations: chain.confirmations,
    explorer: explorerOf(chain.explorerUrl, chain.family),
  };
}

/** Explorers of EVM chains share their addresses; that of Tron has its own. */
function explorerOf(url: string, family: string): Presented['explorer'] {
  if (url === '') return null;
  const base = url.replace(/\/$/, '');
  return family === 'tron'
    ? { tx: `${base}/#/transaction/{tx}`, address: `${base}/#/address/{address}` }
    : { tx: `${base}/tx/{tx}`, address: `${base}/address/{address}` };
}
