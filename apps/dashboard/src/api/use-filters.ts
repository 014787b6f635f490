// The filters and the page of a list, kept in the address, so that a list can be passed on and "back" works.
import { useLocation, useSearchParams } from 'react-router';

export interface Filters {
  /** "" where the filter is not set. */
  get(name: string): string;
  /** Sets filters and shows the newest page. */
  set(values: Readonly<Record<string, string>>): void;
  /** The same while a person types. It adds no entry to the history, so "back" does not go through the letters. */
  type(values: Readonly<Record<string, string>>): void;
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
  const trail = trailOf(useLocation().state);
  const { cursor = '', ...filters } = Object.fromEntries(search);
  const go = (next: Readonly<Record<string, string>>, options: { replace?: boolean; state?: Trail } = {}) =>
    setSearch(
      Object.entries(next).filter(([, value]) => value !== ''),
      options,
    );
  return {
    get: (name) => filters[name] ?? '',
    set: (values) => go({ ...filters, ...values }),
    type: (values) => go({ ...filters, ...values }, { replace: true }),
    clear: () => go({}),
    isFiltered: Object.values(filters).some((value) => value !== ''),
    cursor: cursor === '' ? {} : { cursor },
    pages: (next) => ({
      // A page that was opened by a link knows no newer pages, so "newer" leads to the newest one.
      onNewer:
        cursor === ''
          ? null
          : () => go({ ...filters, cursor: trail.at(-1) ?? '' }, { state: { trail: trail.slice(0, -1) } }),
      onOlder:
        next === null
          ? null
          : () => go({ ...filters, cursor: next }, { state: { trail: [...trail, cursor] } }),
    }),
  };
}

/** The cursors of the newer pages that were walked through; empty for the newest page. */
interface Trail {
  readonly trail: readonly string[];
}

/** Browsers keep the state with the entry of their history, so it may come from an older build. */
function trailOf(state: unknown): readonly string[] {
  if (typeof state !== 'object' || state === null || !('trail' in state)) return [];
  const { trail } = state;
  return Array.isArray(trail) ? trail.filter((each) => typeof each === 'string') : [];
}
