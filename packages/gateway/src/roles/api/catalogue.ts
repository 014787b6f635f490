// The chains and currencies this gateway serves, found by currency number.
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';

/** A chain as the operator configured it. */
export interface ServedChain {
  readonly definition: ChainDefinition;
  readonly on: boolean;
  /** Asked at every use, because a currency goes off at run time when the chain contradicts its definition. */
  isCurrencyOn(currencyId: number): boolean;
  /** Whether the chain was not asked about the currency yet, so that it may still come on; false where this is missing. */
  isUnasked?(currencyId: number): boolean;
}

export interface Listing {
  readonly chain: ChainDefinition;
  readonly currency: Currency;
}

export interface Catalogue {
  /** The currency of that number, on or off; null for a number that was never given out. */
  find(currencyId: number): Listing | null;
  /** The currency of an existing order or payout; throws an Error if its chain is no longer configured. */
  ofTrade(trade: { readonly tradeNo: string; readonly currencyId: number }): Listing;
  /** The contracts of all tokens of a family, on or off, in canonical text. */
  contracts(family: ChainFamily): ReadonlySet<string>;
  isOn(currencyId: number): boolean;
  /** Whether the currency is off only because its chain has not confirmed it yet, as after a start. */
  isStarting(currencyId: number): boolean;
  /** Why the currency takes no new orders until an operator resumes it; null where it is not suspended. */
  suspension(currencyId: number): string | null;
  /** Everything that is on, in the order of the definitions. */
  listed(): readonly Listing[];
  /** The definitions of the chains that are on. */
  chainsOn(): readonly ChainDefinition[];
  /** Every chain that is known, on or off. */
  chains(): readonly ServedChain[];
}

/** Throws an Error where two currencies share a number. `suspension` is asked at every use. */
export function createCatalogue(
  chains: readonly ServedChain[],
  suspension: (currencyId: number) => string | null = () => null,
): Catalogue {
  const byId = new Map<number, Listing & { readonly served: ServedChain }>();
  for (const served of chains) {
    for (const currency of served.definition.currencies) {
      if (byId.has(currency.currencyId)) throw new Error(`currency ${currency.currencyId} is defined twice`);
      byId.set(currency.currencyId, { chain: served.definition, currency, served });
    }
  }
  const contracts = contractsOf(chains.map(({ definition }) => definition));
  const isOn = (currencyId: number) => {
    const served = byId.get(currencyId)?.served;
    if (served === undefined || !served.on || suspension(currencyId) !== null) return false;
    return served.isCurrencyOn(currencyId);
  };
  return {
    find: (currencyId) => byId.get(currencyId) ?? null,
    ofTrade: ({ tradeNo, currencyId }) => {
      const listing = byId.get(currencyId);
      if (listing === undefined)
        throw new Error(`${tradeNo} is in currency ${currencyId}, which is not configured`);
      return listing;
    },
    contracts: (family) => contracts.get(family) ?? new Set(),
    isOn,
    isStarting: (currencyId) => {
      const served = byId.get(currencyId)?.served;
      return served !== undefined && served.on && served.isUnasked?.(currencyId) === true;
    },
    suspension,
    listed: () => [...byId.values()].filter(({ currency }) => isOn(currency.currencyId)),
    chains: () => chains,
    chainsOn: () => chains.filter((served) => served.on).map((served) => served.definition),
  };
}

function contractsOf(chains: readonly ChainDefinition[]): ReadonlyMap<ChainFamily, ReadonlySet<string>> {
  const byFamily = new Map<ChainFamily, Set<string>>();
  for (const { family, currencies } of chains) {
    const known = byFamily.get(family) ?? new Set();
    for (const { contract } of currencies) if (contract !== null) known.add(contract);
    byFamily.set(family, known);
  }
  return byFamily;
}
