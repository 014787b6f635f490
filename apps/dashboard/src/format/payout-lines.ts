// The lines of a CSV file of payouts, or why the file is refused. No cell is run as a formula, guessed or left out.

export interface PayoutLine {
  /** The number of the line as an editor counts, with the heading as 1. */
  readonly line: number;
  readonly to: string;
  readonly amount: string;
}

export interface Unfit {
  /** Null where the fault is of the whole file. */
  readonly line: number | null;
  readonly why:
    | 'empty'
    | 'too-many'
    | 'heading'
    | 'columns'
    | 'formula'
    | 'amount'
    | 'address'
    | 'twice'
    | 'quote';
}

export type PayoutLines =
  | { readonly ok: true; readonly lines: readonly PayoutLine[] }
  | { readonly ok: false; readonly unfit: readonly Unfit[] };

const MAX_PAYOUT_LINES = 200;
/** The most faults that are shown, because more would say nothing new. */
const MAX_UNFIT = 20;
const HEADING = 'to_address,amount';
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/u;

export function payoutLines(text: string): PayoutLines {
  const rows = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  while (rows.at(-1) === '') rows.pop();
  const [heading, ...rest] = rows;
  if (heading === undefined || rest.length === 0) return no('empty');
  if (rest.length > MAX_PAYOUT_LINES) return no('too-many');
  if (cellsOf(heading)?.join(',').toLowerCase() !== HEADING) return no('heading', 1);
  const seen = new Set<string>();
  const read = rest.map((row, place) => readRow(row, place + 2, seen));
  const unfit = read.flatMap((one) => ('why' in one ? [one] : []));
  if (unfit.length > 0) return { ok: false, unfit: unfit.slice(0, MAX_UNFIT) };
  return { ok: true, lines: read.flatMap((one) => ('why' in one ? [] : [one])) };
}

function no(why: Unfit['why'], line: number | null = null): PayoutLines {
  return { ok: false, unfit: [{ line, why }] };
}

function readRow(row: string, line: number, seen: Set<string>): PayoutLine | Unfit {
  const cells = cellsOf(row);
  if (cells === null) return { line, why: 'quote' };
  const [to = '', amount = ''] = cells;
  if (cells.length !== 2) return { line, why: 'columns' };
  if (FORMULA.test(to) || FORMULA.test(amount)) return { line, why: 'formula' };
  if (!/^[A-Za-z0-9]{20,128}$/.test(to)) return { line, why: 'address' };
  if (!/^[0-9]{1,20}(\.[0-9]{1,30})?$/.test(amount) || !/[1-9]/.test(amount)) return { line, why: 'amount' };
  const name = `${to.toLowerCase()} ${amount}`;
  if (seen.has(name)) return { line, why: 'twice' };
  seen.add(name);
  return { line, to, amount };
}

/** Cells of one line, quoted or not; null where a quote does not end. Cells hold no line ends here. */
function cellsOf(row: string): readonly string[] | null {
  const cells: string[] = [];
  for (let at = 0; at <= row.length; at++) {
    const quoted = /^"((?:[^"]|"")*)"(?=,|$)/.exec(row.slice(at));
    const plain = quoted === null ? /^[^",]*(?=,|$)/.exec(row.slice(at)) : null;
    const [whole, inside] = quoted ?? plain ?? [];
    if (whole === undefined) return null;
    cells.push((inside ?? whole).replaceAll('""', '"').trim());
    at += whole.length;
  }
  return cells;
}
