// One line of a CSV file (RFC 4180) that no spreadsheet takes for a formula.

/**
 * Spreadsheets run a cell that begins like this as a formula, full-width characters included. Merchants' own order numbers
 * may hold any text.
 */
const FORMULA = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u;

/**
 * Every field is quoted, because some spreadsheets split at semicolons, and the text after an unquoted one would begin a
 * cell. A field that looks like a formula gets a leading apostrophe, by which spreadsheets mark text.
 */
export function csvLine(fields: readonly string[]): string {
  const cells = fields.map((field) => {
    const text = FORMULA.test(field) ? `'${field}` : field;
    return `"${text.replaceAll('"', '""')}"`;
  });
  return `${cells.join(',')}\r\n`;
}
