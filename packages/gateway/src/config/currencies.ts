// The currencies of a chain: the known ones with the operator's changes, then new ones, checked as one list.
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { addressSchemes } from '../chains/address-schemes.ts';
import { ConfigError } from './config-error.ts';
import type { ChainConfig, CurrencyConfig } from './schema.ts';

/**
 * `at` names the entry in messages. The main currency comes first and is the only one without a contract: a token
 * whose contract was forgotten would book the chain's own coin as that token. Throws ConfigError.
 */
export function mergedCurrencies(
  at: string,
  { family, currencies: known }: Pick<ChainDefinition, 'family' | 'currencies'>,
  { currencies: configured = [], known_tokens }: Pick<ChainConfig, 'currencies' | 'known_tokens'>,
): readonly Currency[] {
  const ids = configured.map((entry) => entry.currency_id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw new ConfigError(`${at}: currency_id ${twice} stands there twice`);
  const changed = known.map((currency) => {
    const change = configured.find((entry) => entry.currency_id === currency.currencyId);
    if (change !== undefined) return withChange(at, family, currency, change);
    return known_tokens === 'listed' && currency.contract !== null
      ? { ...currency, enabled: false }
      : currency;
  });
  const added = configured.filter((entry) =>
    known.every((currency) => currency.currencyId !== entry.currency_id),
  );
  const merged = [...changed, ...added.map((entry) => newCurrency(at, family, entry))];
  checkMain(at, known[0], merged[0]);
  checkContracts(at, merged.slice(1));
  return merged;
}

function checkMain(at: string, known: Currency | undefined, main: Currency | undefined): void {
  if (main === undefined || main.contract !== null) {
    throw new ConfigError(`${at}: the first one has to be the main currency, without a contract`);
  }
  if (known !== undefined && known.decimals !== main.decimals) {
    throw new ConfigError(
      `${at}: currency ${main.currencyId} is the chain's own coin and has ${known.decimals} decimals`,
    );
  }
}

function checkContracts(at: string, tokens: readonly Currency[]): void {
  const owners = new Map<string, Currency>();
  for (const token of tokens) {
    if (token.contract === null) {
      throw new ConfigError(
        `${at}: ${nameOf(token)} needs its contract; only the main currency, which comes first, has none`,
      );
    }
    const owner = owners.get(token.contract);
    if (owner !== undefined)
      throw new ConfigError(`${at}: ${nameOf(owner)} and ${nameOf(token)} have the same contract`);
    owners.set(token.contract, token);
  }
}

function withChange(at: string, family: ChainFamily, currency: Currency, change: CurrencyConfig): Currency {
  const decimals = change.decimals ?? currency.decimals;
  const symbol = change.symbol ?? currency.symbol;
  // Another symbol is another coin, for which the known one's price says nothing.
  const { rateAsset } = symbol === currency.symbol ? currency : {};
  return {
    currencyId: currency.currencyId,
    symbol,
    ...(rateAsset === undefined ? {} : { rateAsset }),
    contract: change.contract === undefined ? currency.contract : canonicalContract(at, family, change),
    decimals,
    displayDecimals: Math.min(change.display_decimals ?? currency.displayDecimals, decimals),
    enabled: change.enabled ?? currency.enabled,
  };
}

function newCurrency(at: string, family: ChainFamily, entry: CurrencyConfig): Currency {
  const { symbol, decimals } = entry;
  if (symbol === undefined || decimals === undefined) {
    throw new ConfigError(`${at}: currency ${entry.currency_id} is new and needs symbol and decimals`);
  }
  return {
    currencyId: entry.currency_id,
    symbol,
    contract: canonicalContract(at, family, entry),
    decimals,
    displayDecimals: Math.min(entry.display_decimals ?? 8, decimals),
    enabled: entry.enabled ?? true,
  };
}

function canonicalContract(
  at: string,
  family: ChainFamily,
  { currency_id, contract = '' }: CurrencyConfig,
): string | null {
  if (contract === '') return null;
  const canonical = addressSchemes[family].canonical(contract);
  if (canonical !== null) return canonical;
  throw new ConfigError(
    `${at}: ${JSON.stringify(contract)} of currency ${currency_id} is not a contract address, or mistyped`,
  );
}

function nameOf({ currencyId, symbol }: Currency): string {
  return `currency ${currencyId} (${symbol})`;
}
