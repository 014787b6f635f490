// Text for the terminal: a few colours where the stream is a terminal, and columns that line up.

type Paint = (text: string) => string;

/**
 * Colours for one output stream. Text stays plain where the stream is no terminal, or where the person wants no
 * colours.
 */
export interface Palette {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly red: Paint;
  readonly cyan: Paint;
}

/** Follows the NO_COLOR convention. */
export function paletteFor(
  stream: { readonly isTTY?: boolean },
  environment: NodeJS.ProcessEnv = process.env,
): Palette {
  const colours = stream.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
  const paint = (on: number, off: number): Paint =>
    colours ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : plain;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    green: paint(32, 39),
    yellow: paint(33, 39),
    red: paint(31, 39),
    cyan: paint(36, 39),
  };
}

/** Lines of cells, each column as wide as its widest cell, two spaces between. Cells hold no colours. */
export function columns(rows: readonly (readonly string[])[], indent = ''): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [place, cell] of row.entries()) widths[place] = Math.max(widths[place] ?? 0, cell.length);
  }
  return rows.map(
    (row) =>
      indent +
      row
        .map((cell, place) => cell.padEnd(widths[place] ?? 0))
        .join('  ')
        .trimEnd(),
  );
}

/** Replaces control characters, which a terminal would act on, in text that strangers may have written. */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}');
}

function plain(text: string): string {
  return text;
}
