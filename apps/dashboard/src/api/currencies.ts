// What the numbers of currencies mean.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { useAnswer } from './queries.ts';

export type Currency = ResponseOf<'currencies.list'>['currencies'][number];

export interface Currencies {
  readonly list: readonly Currency[];
  symbol(currencyId: number): string;
  /** "USDT · TRC20" */
  name(currencyId: number): string;
  find(currencyId: number): Currency | null;
}

export function useCurrencies(): Currencies {
  const list = useAnswer('currencies.list', {}).data?.currencies ?? [];
  const find = (id: number) => list.find((each) => each.currency_id === id) ?? null;
  return {
    list,
    find,
    symbol: (id) => find(id)?.symbol ?? '',
    name: (id) => {
      const found = find(id);
      if (found === null) return String(id);
      return found.contract === null
        ? `${found.symbol} · ${found.chain}`
        : `${found.symbol} · ${found.network}`;
    },
  };
}
