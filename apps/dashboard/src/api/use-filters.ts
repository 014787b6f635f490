// The filters and the page of a list, kept in the address, so that a list can be passed on and "back" works.
import { useNavigate, useSearch } from '@tanstack/react-router';

export interface Filters {
  /** Empty where it is not set. */
  get(name: string): string;
  /** Sets filters and begins at the newest. */
  set(values: Readonly<Record<string, string>>): void;
  readonly isFiltered: boolean;
  /** For a request: the cursor where there is one. */
  readonly cursor: { readonly cursor?: string };
  pages(next: string | null): {
    readonly onNewer: (() => void) | null;
    readonly onOlder: (() => void) | null;
  };
}

export function useFilters(): Filters {
  // The router gives everything behind "?" as text.
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const { cursor, ...filters } = search;
  const go = (next: Readonly<Record<string, string | undefined>>) =>
    void navigate({ to: '.', search: () => next });
  return {
    get: (name) => filters[name] ?? '',
    set: (values) => go({ ...filters, ...values }),
    isFiltered: Object.values(filters).some((value) => value !== undefined && value !== ''),
    cursor: cursor === undefined ? {} : { cursor },
    pages: (next) => ({
      onNewer: cursor === undefined ? null : () => window.history.back(),
      onOlder: next === null ? null : () => go({ ...filters, cursor: next }),
    }),
  };
}
