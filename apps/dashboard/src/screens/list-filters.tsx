// What the lists of orders, payouts and webhooks are filtered by: currency, app and month, kept in the address.
import { useCurrencies } from '../api/currencies.ts';
import { useAnswer } from '../api/queries.ts';
import type { Filters } from '../api/use-filters.ts';
import { FilterChip } from '../parts/data/filters.tsx';
import { Time } from '../parts/time.tsx';
import { words } from '../words/words.ts';
import styles from './list-filters.module.css';
import { spanOfMonth } from './month-chip.tsx';

export function CurrencyChip({ filters }: { readonly filters: Filters }) {
  const currencies = useCurrencies();
  return (
    <FilterChip
      label={words.orders.coin}
      value={filters.get('currency')}
      options={currencies.list.map(({ currency_id: id }) => [String(id), currencies.name(id)])}
      onPick={(currency) => filters.set({ currency })}
    />
  );
}

/** Nothing for a merchant with one app. */
export function AppChip({ merchantId, filters }: { readonly merchantId: string; readonly filters: Filters }) {
  const apps = useAnswer('apps.list', { merchant_id: merchantId }).data?.apps ?? [];
  if (apps.length <= 1) return null;
  return (
    <FilterChip
      label={words.orders.app}
      value={filters.get('app')}
      options={apps.map(({ app_id: id, name }) => [id, name])}
      onPick={(app) => filters.set({ app })}
    />
  );
}

/** The three filters as fields of a request; a filter that is not set is left out. */
export function pickedOf(filters: Filters) {
  const currency = Number(filters.get('currency'));
  const app = filters.get('app');
  return {
    ...(currency > 0 ? { currency_id: currency } : {}),
    ...(app === '' ? {} : { app_id: app }),
    ...spanOfMonth(filters),
  };
}

/** Under a page that ended before it was full: how far back the search has come. */
export function SearchedBack({ to }: { readonly to: number | null }) {
  if (to === null) return null;
  return (
    <p className={styles['note']}>
      {words.orders.searchedTo} <Time at={to} />
    </p>
  );
}
