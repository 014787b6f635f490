// Comments that are promises: the stops of the reading tour, and the marks that a test must hit.
import type { Finding } from '../finding.ts';
import type { Project } from '../project.ts';
import type { Source } from '../source.ts';

/** Where the tour starts; it ends in the simulator. */
const firstStop = 'packages/gateway/src/main.ts';
const lastRoom = 'sim/';

interface Stop {
  readonly file: string;
  readonly line: number;
  readonly number: number;
  readonly of: number;
  readonly next: string | null;
}

/** `// ~ tour 3/12: why look here → path/of/the/next.ts`: every stop leads to the next, and all are there once. */
export function checkTour(project: Project, sources: readonly Source[]): readonly Finding[] {
  const stops = sources.flatMap(stopsOf).sort((a, b) => a.number - b.number);
  const findings: Finding[] = [];
  const add = (file: string, line: number, message: string) =>
    findings.push({ file, line, rule: 'tour', message });
  if (stops.length === 0) {
    if (project.files.has(firstStop))
      add(firstStop, 1, 'the reading tour has no first stop here: // ~ tour 1/N: … → path');
    return findings;
  }
  stops.forEach(({ file, line, number, of, next }, index) => {
    const following = stops[index + 1];
    if (number !== index + 1 || of !== stops.length)
      add(file, line, `is stop ${number}/${of}, but ${index + 1}/${stops.length} by count`);
    if (index === 0 && file !== firstStop) add(file, line, `the tour starts in ${firstStop}`);
    if (following === undefined && !file.startsWith(lastRoom))
      add(file, line, 'the tour ends in the simulator');
    if (following === undefined ? next !== null : next !== following.file) {
      add(
        file,
        line,
        `leads to ${next ?? 'nothing'}, and the next stop is ${following?.file ?? 'none: this is the last'}`,
      );
    }
  });
  return findings;
}

function stopsOf(source: Source): readonly Stop[] {
  return source.comments.flatMap(({ text, line }) => {
    const found = /^ ~ tour (\d+)\/(\d+): (.*)$/.exec(text);
    if (found === null) return [];
    // The arrow may stand on one of the lines that continue the comment.
    const rest = [found[3] ?? ''];
    for (let next = line + 1; ; next++) {
      const more = source.comments.find((comment) => comment.line === next);
      if (more === undefined || / ~ tour /.test(more.text)) break;
      rest.push(more.text);
    }
    const next = /→ (\S+)/.exec(rest.join(' '))?.[1] ?? null;
    return [{ file: source.path, line, number: Number(found[1]), of: Number(found[2]), next }];
  });
}

/** `// mark: name` in code and `// hits mark: name` in a test: each name once on each side. */
export function checkMarks(sources: readonly Source[]): readonly Finding[] {
  const marks = sources.filter(({ isTest }) => !isTest).flatMap((source) => namesIn(source, /^ mark: (\S+)/));
  const hits = sources
    .filter(({ isTest }) => isTest)
    .flatMap((source) => namesIn(source, /^ hits mark: (\S+)/));
  return [
    ...unmatched(marks, hits, 'is hit by no test; say "// hits mark: name" in the one that does'),
    ...unmatched(hits, marks, 'is hit by a test, and no code has it'),
    ...doubled(marks),
    ...doubled(hits),
  ];
}

interface NamedPlace {
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

function namesIn(source: Source, pattern: RegExp): readonly NamedPlace[] {
  return source.comments.flatMap(({ text, line }) => {
    const name = pattern.exec(text)?.[1];
    return name === undefined ? [] : [{ name, file: source.path, line }];
  });
}

function unmatched(
  places: readonly NamedPlace[],
  others: readonly NamedPlace[],
  message: string,
): readonly Finding[] {
  const names = new Set(others.map(({ name }) => name));
  return places
    .filter(({ name }) => !names.has(name))
    .map(({ name, file, line }) => ({ file, line, rule: 'mark', message: `mark ${name} ${message}` }));
}

function doubled(places: readonly NamedPlace[]): readonly Finding[] {
  const seen = new Set<string>();
  return places.flatMap(({ name, file, line }) => {
    const isDoubled = seen.has(name);
    seen.add(name);
    return isDoubled ? [{ file, line, rule: 'mark', message: `mark ${name} stands twice` }] : [];
  });
}
