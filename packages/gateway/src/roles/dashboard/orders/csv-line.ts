// One line of a CSV file (RFC 4180) that no spreadsheet takes for a formula.

/** Spreadsheets run what begins so; merchants' own numbers may hold anything. */
const FORMULA = /^[=+\-@\t\r]/;

/** A field that looks like a formula gets an apostrophe in front, as spreadsheets mark text. */
export function csvLine(fields: readonly string[]): string {
  const cells = fields.map((field) => {
    const text = FORMULA.test(field) ? `'${field}` : field;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(',')}\r\n`;
}
