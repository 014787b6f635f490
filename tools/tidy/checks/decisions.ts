// Checks that every decision that a text names exists, and that the index lists every record.
import { type Finding, finding } from '../finding.ts';
import type { Tree } from '../tree.ts';

const folder = 'docs/decisions/';
const index = `${folder}README.md`;
const wire = `${folder}wire.md`;
/** "decision 0011", "decision B8", "decisions B8 to B12", "decisions B2 and B17". */
const citation = /\bdecisions? ((?:[A-H]\d+|\d{4})(?:(?:, | to | and )(?:[A-H]\d+|\d{4}))*)/gi;

/** Citations that lead nowhere, and records that the index lacks. */
export function checkDecisions({ project: { files } }: Tree): readonly Finding[] {
  const records = [...files.keys()].flatMap((path) => /^docs\/decisions\/(\d{4}-.*)$/.exec(path)?.[1] ?? []);
  const known = new Set([...records.map((name) => name.slice(0, 4)), ...rowsOf(files.get(wire) ?? '')]);
  const indexed = files.get(index) ?? '';
  return [
    ...records
      .filter((name) => !indexed.includes(`](${name})`))
      .map((name) => finding(index, 1, 'decision', `lacks ${name}`)),
    ...[...files].flatMap(([path, text]) =>
      citationsIn(text)
        .filter(({ name }) => !known.has(name))
        .map(({ name, line }) => finding(path, line, 'decision', `there is no decision ${name}`)),
    ),
  ];
}

/** The letters and numbers that begin the rows of a table, such as B8 or "B15, B16". */
function rowsOf(text: string): readonly string[] {
  return [...text.matchAll(/^\| ([A-H]\d+(?:, [A-H]\d+)*) \|/gm)].flatMap(([, names = '']) =>
    names.split(', '),
  );
}

function citationsIn(text: string): readonly { readonly name: string; readonly line: number }[] {
  return text
    .split('\n')
    .flatMap((content, place) =>
      [...content.matchAll(citation)].flatMap(([, names = '']) =>
        names.split(/, | to | and /).map((name) => ({ name: name.toUpperCase(), line: place + 1 })),
      ),
    );
}
