// Finds words that this project once made up, in text, names and paths. The field has words for them.
import { type Finding, finding } from '../finding.ts';
import type { Tree } from '../tree.ts';
import { history, oldWords, wirePlaces } from '../words.ts';

/** Every use of an old word. */
export function checkWords({ project: { files } }: Pick<Tree, 'project'>): readonly Finding[] {
  return [...files].flatMap(([path, text]) => wordsIn(path, text));
}

function wordsIn(path: string, text: string): readonly Finding[] {
  if (path === 'package-lock.json' || history.some((place) => place.test(path))) return [];
  const isWire = wirePlaces.some((place) => path.startsWith(place));
  const words = oldWords.filter(
    ({ only, say }) => path.startsWith(only ?? '') && !(isWire && say === 'native currency'),
  );
  // The path is line 0, because a file's name may have such a word, too.
  const plain = separated(`${path}\n${path.endsWith('.md') ? withoutTargets(text) : text}`);
  return words.flatMap(({ word, say }) =>
    [...plain.matchAll(word)].map(({ 0: hit, index }) => {
      const line = plain.slice(0, index).split('\n').length - 1;
      return finding(path, line, 'word', `"${hit}"; the field says: ${say}`);
    }),
  );
}

/** Without the targets of links: a target is a name that is checked where it is given. */
function withoutTargets(markdown: string): string {
  return markdown.replaceAll(/\]\([^)]*\)/g, ']');
}

/** Separates names into words: "heardFrom", "heard-from" and "HEARD_FROM" become "heard from". */
function separated(line: string): string {
  return line
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase();
}
