// The table at the end of a run, in plain text and no wider than a terminal.
import type { Figure } from './measure.ts';

const headings = ['measure', 'seen', 'value', 'goal', ''] as const;

/** Every line as one text, columns aligned. */
export function tableText(figures: readonly Figure[]): string {
  const rows = [[...headings], ...figures.map(cellsOf)];
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cellsOf({ what, seen, value, goal, met }: Figure): string[] {
  return [what, seen, value, goal, met === null ? '' : met ? 'OK' : 'MISSED'];
}

/** Whether no goal was missed. */
export function allMet(figures: readonly Figure[]): boolean {
  return figures.every(({ met }) => met !== false);
}
