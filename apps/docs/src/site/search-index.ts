// The list that the search uses: every heading, with its page.
import type { SearchEntry } from '../page/search-entry.ts';
import type { NavigationGroup } from './navigation.ts';

const DEEPEST = 3;

export function searchIndex(groups: readonly NavigationGroup[]): readonly SearchEntry[] {
  return groups.flatMap(({ title: group, pages }) =>
    pages.flatMap(({ path, title, shortTitle, headings }) => [
      [title === shortTitle ? title : `${title} (${shortTitle})`, group, path] as const,
      ...headings
        .filter(({ level }) => level > 1 && level <= DEEPEST)
        .map(({ id, text }) => [text, title, `${path}#${id}`] as const),
    ]),
  );
}
