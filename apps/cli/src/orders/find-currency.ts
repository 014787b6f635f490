// Finds the currency that a command names: by its id, or by SYMBOL@CHAIN.
import type { Config } from '@ducat/gateway/config/load-config';
import { CommandError } from '../command-error.ts';

/** The fields that a currency is found by; the elements of token-list have them. */
export interface ListedCurrency {
  readonly currency_id: number;
  readonly token: string;
  readonly chain: string;
}

/** How many currencies an error lists; more would hide its message. currency/token-list has them all. */
const MOST_SHOWN = 12;

/** Case does not matter. A symbol is enough where only one chain has it. Throws a CommandError that lists the choices. */
export function findCurrency<Listed extends ListedCurrency>(list: readonly Listed[], meant: string): Listed {
  const [symbol = '', chain] = meant.toLowerCase().split('@');
  const found = list.filter((currency) =>
    /^\d+$/.test(meant)
      ? currency.currency_id === Number(meant)
      : currency.token.toLowerCase() === symbol &&
        (chain === undefined || currency.chain.toLowerCase() === chain),
  );
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const possible = found.length > 0 ? found : list;
  const choice = possible
    .slice(0, MOST_SHOWN)
    .map(({ token, chain: place, currency_id }) => `${token}@${place} (${currency_id})`);
  if (possible.length > MOST_SHOWN) choice.push(`or ${possible.length - MOST_SHOWN} more`);
  const trouble = first === undefined ? `there is no currency ${meant}` : `${meant} lives on several chains`;
  throw new CommandError(`${trouble}; choose one of ${choice.join(', ')}`);
}

/** The currencies of all chains of the configuration, also of those that are off. */
export function configuredCurrencies({
  chains,
  chainsOff,
}: Pick<Config, 'chains' | 'chainsOff'>): readonly ListedCurrency[] {
  const definitions = [...chains.map(({ definition }) => definition), ...chainsOff];
  return definitions.flatMap(({ name, currencies }) =>
    currencies.map(({ currencyId, symbol }) => ({ currency_id: currencyId, token: symbol, chain: name })),
  );
}
