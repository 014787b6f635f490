// Finds the headings that fit the typed words, the best first. Pure, so that it can be tested.
import type { SearchEntry } from '../page/search-entry.ts';

const MOST = 12;

/** Every word that was typed has to begin a word of the heading or of its page. */
export function findHeadings(entries: readonly SearchEntry[], asked: string): readonly SearchEntry[] {
  const typed = wordsOf(asked);
  if (typed.length === 0) return [];
  return entries
    .map((entry, at) => ({ entry, at, score: scoreOf(entry, typed) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.at - b.at)
    .slice(0, MOST)
    .map(({ entry }) => entry);
}

/** Zero where a word fits nothing. A heading's word counts more than one of its page's title, a page more than a part. */
function scoreOf([heading, page, path]: SearchEntry, typed: readonly string[]): number {
  const [own, around] = [wordsOf(heading), wordsOf(page)];
  let score = path.includes('#') ? 0 : 1;
  for (const word of typed) {
    if (own.includes(word)) score += 6;
    else if (own.some((text) => text.startsWith(word))) score += 4;
    else if (around.some((text) => text.startsWith(word))) score += 1;
    else return 0;
  }
  return score;
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
