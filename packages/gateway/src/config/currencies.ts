// The currencies of a chain: the catalogue's with the operator's changes, then the operator's own, checked as one list.
import type { ChainDefinition, ChainFamily } from '@ducat/core/chain/chain';
import { type Currency, rateAssetOf } from '@ducat/core/chain/currency';
import { addressSchemes } from '../chains/address-schemes.ts';
import { isConsidered, whyUnpriced } from '../rates/assets.ts';
import { ConfigError } from './config-error.ts';
import type { ChainConfig, CurrencyConfig } from './schema.ts';

/** In each thousand, numbers from here on belong to operators. The catalogue never takes one of them. */
const OWN_NUMBERS_FROM = 900;
/** The tokens that are on where `known_tokens` is not stated. The coin is always on. */
const COMMON: ReadonlySet<string> = new Set(['USDT', 'USDC']);
/** The decimals in which the nodes of a family count the coin: wei and sun. No configuration can change them. */
const COIN_DECIMALS: Readonly<Record<ChainFamily, number>> = { evm: 18, tron: 6 };

export interface MergedCurrencies {
  readonly currencies: readonly Currency[];
  /** A sentence for each entry that is allowed but may not be what was meant. */
  readonly warnings: readonly string[];
}

/** An entry of the configuration and the currency that it describes. */
interface Stated {
  readonly entry: CurrencyConfig;
  readonly currency: Currency;
  /** The catalogue's currency that the entry changes; undefined for a currency of the operator's own. */
  readonly changes: Currency | undefined;
}

/**
 * `at` names the entry in messages. The native currency comes first, and only it has no contract. Otherwise a token whose
 * contract was forgotten would book the chain's coin as that token. Throws ConfigError.
 */
export function mergedCurrencies(
  at: string,
  { family, currencies: known }: Pick<ChainDefinition, 'family' | 'currencies'>,
  { currencies: configured = [], known_tokens = 'common' }: Pick<ChainConfig, 'currencies' | 'known_tokens'>,
): MergedCurrencies {
  const ids = configured.map((entry) => entry.currency_id);
  const twice = ids.find((id, place) => ids.indexOf(id) !== place);
  if (twice !== undefined) throw new ConfigError(`${at}: currency_id ${twice} stands there twice`);
  const stated = configured.map((entry) => statedCurrency(at, family, known, entry));
  const replaced = replacedBy(known, stated);
  const kept = known.flatMap((currency) => {
    if (replaced.has(currency)) return [];
    const own = stated.find((each) => each.currency.currencyId === currency.currencyId);
    return [own?.currency ?? unlisted(currency, known_tokens)];
  });
  const added = stated.filter(({ currency }) => !kept.includes(currency)).map(({ currency }) => currency);
  const merged = [...kept, ...added];
  checkNative(at, family, merged[0]);
  checkContracts(at, merged.slice(1));
  return { currencies: merged, warnings: warningsOf(at, known, stated, replaced) };
}

/** A currency of the catalogue that the file does not list: switched off where `known_tokens` does not include it. */
function unlisted(currency: Currency, wanted: NonNullable<ChainConfig['known_tokens']>): Currency {
  const isWanted = wanted === 'all' || (wanted === 'common' && COMMON.has(currency.symbol));
  return currency.contract === null || isWanted ? currency : { ...currency, enabled: false };
}

/**
 * Catalogue tokens whose contract the operator has under another number, each with the operator's currency. These catalogue
 * tokens are left out, because a contract has one number.
 */
function replacedBy(known: readonly Currency[], stated: readonly Stated[]): ReadonlyMap<Currency, Currency> {
  const own = new Map(stated.map(({ currency }) => [currency.contract, currency] as const));
  const isStated = (id: number) => stated.some(({ currency }) => currency.currencyId === id);
  return new Map(
    known.flatMap((currency) => {
      const owner = currency.contract === null ? undefined : own.get(currency.contract);
      return owner === undefined || isStated(currency.currencyId) ? [] : [[currency, owner] as const];
    }),
  );
}

function warningsOf(
  at: string,
  known: readonly Currency[],
  stated: readonly Stated[],
  replaced: ReadonlyMap<Currency, Currency>,
): readonly string[] {
  return [
    ...[...replaced].map(
      ([currency, owner]) =>
        `${at}: ${nameOf(currency)} of the catalogue is left out, as ${nameOf(owner)} has its contract`,
    ),
    ...stated.flatMap(({ entry, currency, changes }) => {
      if (changes !== undefined)
        return changes.enabled || currency.enabled ? [] : stillOff(at, entry, changes);
      return [...outsideOwnNumbers(at, known, currency), ...withoutPrice(at, currency)];
    }),
  ];
}

/** Warns about a listed token that stays off, because the operator may believe that it is on. */
function stillOff(at: string, entry: CurrencyConfig, currency: Currency): readonly string[] {
  if (entry.enabled === false) return [];
  return [
    `${at}: ${nameOf(currency)} stays off (${currency.offReason}); enabled = true takes it all the same`,
  ];
}

function outsideOwnNumbers(at: string, known: readonly Currency[], currency: Currency): readonly string[] {
  const { currencyId } = currency;
  if (known.length === 0 || currencyId % 1_000 >= OWN_NUMBERS_FROM) return [];
  const there = known.find((each) => each.currencyId === currencyId);
  const other = there === undefined ? '' : `; nothing of ${nameOf(there)} in the catalogue holds for it`;
  return [
    `${at}: ${nameOf(currency)} is yours and its number is not: the catalogue gives x001 to x899${other}`,
  ];
}

/** Warns where a symbol alone gives a currency no price. In older versions the symbol was enough. */
function withoutPrice(at: string, { currencyId, symbol, rateAsset }: Currency): readonly string[] {
  if (rateAsset !== null || whyUnpriced(symbol) !== null) return [];
  const line = `rate_asset = ${JSON.stringify(symbol)}`;
  return [
    `${at}: ${nameOf({ currencyId, symbol })} has no price in fiat; if it is ${symbol} itself, add ${line}`,
  ];
}

function checkNative(at: string, family: ChainFamily, native: Currency | undefined): void {
  if (native === undefined || native.contract !== null) {
    throw new ConfigError(`${at}: the first one has to be the native currency, without a contract`);
  }
  const decimals = COIN_DECIMALS[family];
  if (native.decimals !== decimals) {
    throw new ConfigError(
      `${at}: ${nameOf(native)} is the coin of the chain itself, which has ${decimals} decimals on every chain of the family ${family}, not ${native.decimals}`,
    );
  }
}

function checkContracts(at: string, tokens: readonly Currency[]): void {
  const owners = new Map<string, Currency>();
  for (const token of tokens) {
    if (token.contract === null) {
      throw new ConfigError(
        `${at}: ${nameOf(token)} needs its contract; only the native currency, which comes first, has none`,
      );
    }
    const owner = owners.get(token.contract);
    if (owner !== undefined)
      throw new ConfigError(`${at}: ${nameOf(owner)} and ${nameOf(token)} have the same contract`);
    owners.set(token.contract, token);
  }
}

/**
 * An entry with symbol and contract describes a currency of the operator's own, if its contract is not the catalogue's under
 * that number. Whatever the catalogue has under the number is then ignored. An entry without a symbol changes the contract
 * of a catalogue token.
 */
function statedCurrency(
  at: string,
  family: ChainFamily,
  known: readonly Currency[],
  entry: CurrencyConfig,
): Stated {
  const contract = canonicalContract(at, family, entry);
  const there = known.find(({ currencyId }) => currencyId === entry.currency_id);
  const isOwn =
    there === undefined ||
    (there.contract !== null &&
      contract !== null &&
      contract !== there.contract &&
      entry.symbol !== undefined);
  const same = contract === null ? undefined : known.find((currency) => currency.contract === contract);
  if (isOwn) {
    const currency = ownCurrency(at, entry, contract, same);
    return { entry, currency, changes: undefined };
  }
  if (same !== undefined && same !== there) {
    throw new ConfigError(
      `${at}: ${nameOf(there)} cannot move to the contract of ${nameOf(same)}; a token of your own states symbol and decimals`,
    );
  }
  const moved = entry.contract === undefined ? there.contract : contract;
  return { entry, currency: changed(at, there, entry, moved), changes: there };
}

/** A changed symbol does not change the rate asset. */
function changed(at: string, known: Currency, change: CurrencyConfig, contract: string | null): Currency {
  const decimals = change.decimals ?? known.decimals;
  const symbol = change.symbol ?? known.symbol;
  const asset = statedAsset(at, change) ?? rateAssetOf(known);
  const enabled = change.enabled ?? known.enabled;
  return {
    currencyId: known.currencyId,
    symbol,
    ...(asset === symbol ? {} : { rateAsset: asset }),
    contract,
    decimals,
    displayDecimals: Math.min(change.display_decimals ?? known.displayDecimals, decimals),
    enabled,
    ...(enabled || known.offReason === undefined ? {} : { offReason: known.offReason }),
  };
}

/** `same` is the catalogue's token with the same contract, if there is one. Its rate asset then applies. */
function ownCurrency(
  at: string,
  entry: CurrencyConfig,
  contract: string | null,
  same: Currency | undefined,
): Currency {
  const { symbol, decimals } = entry;
  if (symbol === undefined || decimals === undefined) {
    throw new ConfigError(`${at}: currency ${entry.currency_id} is new and needs symbol and decimals`);
  }
  return {
    currencyId: entry.currency_id,
    symbol,
    rateAsset: statedAsset(at, entry) ?? (same === undefined ? null : rateAssetOf(same)),
    contract,
    decimals,
    displayDecimals: Math.min(entry.display_decimals ?? 8, decimals),
    enabled: entry.enabled ?? true,
  };
}

function statedAsset(at: string, { currency_id, rate_asset }: CurrencyConfig): string | undefined {
  if (rate_asset === undefined || isConsidered(rate_asset)) return rate_asset;
  throw new ConfigError(
    `${at}: the rate_asset ${JSON.stringify(rate_asset)} of currency ${currency_id} is not one that Ducat knows (docs/operate/rates.md)`,
  );
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

function nameOf({ currencyId, symbol }: Pick<Currency, 'currencyId' | 'symbol'>): string {
  return `currency ${currencyId} (${symbol})`;
}
