// What the numbers of currencies mean.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { explorerPage } from '../format/explorer-page.ts';
import { networkName } from '../format/network-names.ts';
import { useAnswer } from './queries.ts';

export type Currency = ResponseOf<'currencies.list'>['currencies'][number];

export interface Currencies {
  readonly list: readonly Currency[];
  symbol(currencyId: number): string;
  /** "USDT · TRC20". A coin is named by its symbol alone, or with its network where another coin has the same symbol. */
  name(currencyId: number): string;
  find(currencyId: number): Currency | null;
  /** The page of its chain's block explorer about a transaction or an address; null where none is configured. */
  explorer(currencyId: number, place: 'tx' | 'address', sought: string): string | null;
}

export function useCurrencies(): Currencies {
  const list = useAnswer('currencies.list', {}).data?.currencies ?? [];
  const find = (id: number) => list.find((each) => each.currency_id === id) ?? null;
  return {
    list,
    find,
    explorer: (id, place, sought) => explorerPage(find(id)?.explorer?.[place] ?? null, place, sought),
    symbol: (id) => find(id)?.symbol ?? '',
    name: (id) => {
      const found = find(id);
      if (found === null) return String(id);
      return currencyName(found, list);
    },
  };
}

type Named = Pick<Currency, 'symbol' | 'chain' | 'network' | 'contract'>;

/** `all` are the currencies beside which it is shown. */
export function currencyName({ symbol, chain, network, contract }: Named, all: readonly Named[]): string {
  if (contract !== null) return `${symbol} · ${network}`;
  const isOnlyOne = all.filter((each) => each.symbol === symbol).length < 2;
  return isOnlyOne ? symbol : `${symbol} · ${networkName(chain)}`;
}
