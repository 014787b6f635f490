// The filters and the page of a list, kept in the address, so that a list can be passed on and "back" works.
import { useSearchParams } from 'react-router';

export interface Filters {
  /** Empty where it is not set. */
  get(name: string): string;
  /** Sets filters and begins at the newest. */
  set(values: Readonly<Record<string, string>>): void;
  readonly clear: () => void;
  readonly isFiltered: boolean;
  /** For a request: the cursor where there is one. */
  readonly cursor: { readonly cursor?: string };
  readonly pages: (next: string | null) => {
    readonly onNewer: (() => void) | null;
    readonly onOlder: (() => void) | null;
  };
}

export function useFilters(): Filters {
  const [search, setSearch] = useSearchParams();
  const { cursor = '', ...filters } = Object.fromEntries(search);
  const go = (next: Readonly<Record<string, string>>) =>
    setSearch(Object.entries(next).filter(([, value]) => value !== ''));
  return {
    get: (name) => filters[name] ?? '',
    set: (values) => go({ ...filters, ...values }),
    clear: () => go({}),
    isFiltered: Object.values(filters).some((value) => value !== ''),
    cursor: cursor === '' ? {} : { cursor },
    pages: (next) => ({
      onNewer: cursor === '' ? null : () => window.history.back(),
      onOlder: next === null ? null : () => go({ ...filters, cursor: next }),
    }),
  };
}
