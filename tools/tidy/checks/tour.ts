// The reading tour: comments that lead through the code, each to the next.
import { type Finding, finding } from '../finding.ts';
import type { Source } from '../source.ts';
import type { Tree } from '../tree.ts';

/** The file in which the tour starts. It ends in the simulator. */
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
export function checkTour({ project, sources }: Tree): readonly Finding[] {
  const stops = sources.flatMap(stopsOf).sort((a, b) => a.number - b.number);
  if (stops.length === 0 && project.files.has(firstStop))
    return [finding(firstStop, 1, 'tour', 'has no first stop: // ~ tour 1/N: … → path')];
  return stops.flatMap(({ file, line, number, of, next }, index) => {
    const following = stops[index + 1]?.file ?? null;
    const problems = [
      (number !== index + 1 || of !== stops.length) &&
        `is ${number}/${of}, but ${index + 1}/${stops.length} by count`,
      index === 0 && file !== firstStop && `the tour starts in ${firstStop}`,
      following === null && !file.startsWith(lastRoom) && 'the tour ends in the simulator',
      next !== following && `leads to ${next}, and the next stop is ${following}`,
    ];
    return problems.flatMap((problem) => (problem === false ? [] : finding(file, line, 'tour', problem)));
  });
}

function stopsOf({ path, comments }: Source): readonly Stop[] {
  return comments.flatMap(({ text, line }, index) => {
    const found = /^ ~ tour (\d+)\/(\d+): /.exec(text);
    if (found === null) return [];
    // The arrow may stand on one of the lines that continue the comment.
    const more = comments.slice(index + 1).filter((comment, step) => comment.line === line + step + 1);
    const end = more.findIndex((comment) => / ~ tour /.test(comment.text));
    const whole = [text, ...(end === -1 ? more : more.slice(0, end)).map((comment) => comment.text)].join(
      ' ',
    );
    const next = /→ (\S+)/.exec(whole)?.[1] ?? null;
    return [{ file: path, line, number: Number(found[1]), of: Number(found[2]), next }];
  });
}
