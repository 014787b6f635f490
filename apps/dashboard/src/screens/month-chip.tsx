// The month that a list is about, in UTC, as a filter in the address: "2025-11".
import type { Filters } from '../api/use-filters.ts';
import { FilterChip } from '../parts/data/filters.tsx';
import { useNow } from '../parts/use-now.ts';
import { language, words } from '../words/words.ts';

const MONTHS_SHOWN = 24;

export function MonthChip({ filters }: { readonly filters: Filters }) {
  const now = new Date(useNow() * 1_000);
  const format = new Intl.DateTimeFormat(language, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const months = Array.from({ length: MONTHS_SHOWN }, (_, back) => {
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back));
    return [first.toISOString().slice(0, 7), format.format(first)] as const;
  });
  return (
    <FilterChip
      label={words.statement.month}
      value={filters.get('month')}
      options={months}
      onPick={(month) => filters.set({ month })}
    />
  );
}

/** From the first moment of the month to the first of the next, as Unix seconds; nothing where none is picked. */
export function spanOfMonth(filters: Filters): { readonly from?: number; readonly to?: number } {
  const [, year, number] = /^(\d{4})-(\d{2})$/.exec(filters.get('month')) ?? [];
  if (year === undefined || number === undefined) return {};
  const start = (offset: number) => Date.UTC(Number(year), Number(number) - 1 + offset) / 1_000;
  return { from: start(0), to: start(1) };
}
