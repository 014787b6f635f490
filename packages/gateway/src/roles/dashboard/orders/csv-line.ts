// One line of a CSV file (RFC 4180) that no spreadsheet takes for a formula.

/** Spreadsheets run what begins so, in wide letters too; merchants' own numbers may hold anything. */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * Every field is quoted: where a spreadsheet cuts at semicolons, what follows one would begin a cell. A field that looks
 * like a formula gets an apostrophe in front, as spreadsheets mark text.
 */
export function csvLine(fields: readonly string[]): string {
  const cells = fields.map((field) => {
    const text = FORMULA.test(field) ? `'${field}` : field;
    return `"${text.replaceAll('"', '""')}"`;
  });
  return `${cells.join(',')}\r\n`;
}
