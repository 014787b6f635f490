// Coverage marks: lines that guard money, each named again by the one test that must reach it.
import { type Finding, finding } from '../finding.ts';
import type { Source } from '../source.ts';
import type { Tree } from '../tree.ts';

/** `// mark: name` in code and `// hits mark: name` in a test: each name once on each side. */
export function checkMarks({ sources }: Tree): readonly Finding[] {
  const marks = sources.filter(({ isTest }) => !isTest).flatMap((source) => namesIn(source, /^ mark: (\S+)/));
  const hits = sources
    .filter(({ isTest }) => isTest)
    .flatMap((source) => namesIn(source, /^ hits mark: (\S+)/));
  return [
    ...unmatched(marks, hits, 'is hit by no test; say "// hits mark: name" in the one that does'),
    ...unmatched(hits, marks, 'is hit by a test, and no code has it'),
  ];
}

interface NamedPlace {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

function namesIn({ path, comments }: Source, pattern: RegExp): readonly NamedPlace[] {
  return comments.flatMap(({ text, line }) => {
    const name = pattern.exec(text)?.[1];
    return name === undefined ? [] : [{ name, file: path, line }];
  });
}

function unmatched(
  places: readonly NamedPlace[],
  others: readonly NamedPlace[],
  message: string,
): readonly Finding[] {
  const names = new Set(others.map(({ name }) => name));
  return places.flatMap(({ name, file, line }, index) => {
    const isDoubled = places.findIndex((place) => place.name === name) < index;
    const why = isDoubled ? 'stands twice' : names.has(name) ? null : message;
    return why === null ? [] : [finding(file, line, 'mark', `mark ${name} ${why}`)];
  });
}
