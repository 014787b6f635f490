// Shows that every migration is marked, as its SQL says, and that upgrade.md says the same.
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { migrationFiles } from './migrate.ts';
import { migrationMarks, type Waits } from './migration-marks.ts';
import { olderRunsText, waitsText } from './pending-migrations.ts';

const order: readonly Waits[] = ['nothing', 'writes', 'everything'];
/** Never large enough that reading them takes time. */
const small = new Set([
  'added_chains',
  'added_tokens',
  'apps',
  'chain_cursors',
  'checkout_pages',
  'inclusions',
  'merchants',
  'payout_endings',
  'quarantines',
  'receipt_assignments',
  'reorgs',
]);

const files = await migrationFiles();

async function statementsOf(file: string): Promise<readonly string[]> {
  const sql = await readFile(new URL(`../../../../migrations/${file}`, import.meta.url), 'utf8');
  const isBody = /\$\$[^]*?\$\$/g;
  return sql.replaceAll(/--.*$/gm, '').replaceAll(isBody, '').split(';');
}

/** A column that an older process does not write. */
const NEEDS_A_VALUE = /SET NOT NULL|ADD COLUMN (?!.*(?:DEFAULT|GENERATED)).*NOT NULL/;

const count = (sql: string, pattern: RegExp) => [...sql.matchAll(pattern)].length;

/** What one statement reads as a whole, and what waits for that. */
function readsOf(sql: string): readonly (readonly [string, Waits])[] {
  const index = /CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+ ON (\w+)/.exec(sql)?.[1];
  if (index !== undefined) return [[index, 'writes']];
  const altered = /ALTER TABLE (\w+)/.exec(sql)?.[1];
  if (altered !== undefined) {
    const isChecked = count(sql, /ADD CONSTRAINT \w+/g) > count(sql, /NOT VALID/g);
    const isRewritten = /ALTER COLUMN \w+ TYPE|SET NOT NULL|ADD COLUMN [^,]*(CHECK|GENERATED)/.test(sql);
    if (isChecked || isRewritten) return [[altered, 'everything']];
    return /VALIDATE CONSTRAINT/.test(sql) ? [[altered, 'nothing']] : [];
  }
  // The end of an index answers such a one.
  if (/SELECT [^;]*\bmax\(/.test(sql)) return [];
  return [...sql.matchAll(/(?:UPDATE|DELETE FROM|FROM|JOIN|USING) (\w+)/g)]
    .map(([, table = '']) => table)
    .filter((table) => /^[a-z]/.test(table) && !['old', 'd', 't'].includes(table))
    .map((table) => [table, 'nothing'] as const);
}

it.each(files.map(({ name }) => name))('%s is marked as its statements say', async (file) => {
  const mark = migrationMarks[file.replace('.sql', '')];
  expect(mark, 'give it a line in migration-marks.ts').toBeDefined();
  const statements = await statementsOf(file);
  const made = new Set(statements.map((sql) => /CREATE TABLE (\w+)/.exec(sql)?.[1]));
  for (const [table, waits] of statements.flatMap(readsOf)) {
    if (small.has(table) || made.has(table)) continue;
    const marked = mark?.reads[table];
    expect(marked, `it reads ${table}`).toBeDefined();
    expect(order.indexOf(marked ?? 'nothing'), `${table}: ${waits} waits`).toBeGreaterThanOrEqual(
      order.indexOf(waits),
    );
  }
  const text = statements.join(';');
  for (const table of Object.keys(mark?.reads ?? {})) expect(text).toMatch(new RegExp(`\\b${table}\\b`));
  // An older process would be refused what it writes.
  const isTighter = statements
    .flatMap((sql) =>
      sql.split(/,|;/).map((part) => [part, /ALTER TABLE (\w+)/.exec(sql)?.[1] ?? ''] as const),
    )
    .some(([part, table]) => NEEDS_A_VALUE.test(part) && !made.has(table));
  if (isTighter) expect(mark?.olderRuns).not.toBe('yes');
  // An older process would miss what is gone.
  if (/DROP COLUMN|DROP TABLE|RENAME/.test(text)) expect(mark?.olderRuns).toBe('no');
});

it('no mark is left of a migration that is gone', () => {
  expect(Object.keys(migrationMarks)).toEqual(files.map(({ name }) => name.replace('.sql', '')));
});

it('upgrade.md says of each what its mark says', async () => {
  const page = await readFile(new URL('../../../../../../docs/operate/upgrade.md', import.meta.url), 'utf8');
  const rows = page
    .split('\n')
    .filter((line) => /^\| `\d{4}_/.test(line))
    .map((line) => line.split(' | ').slice(0, 3).join(' | '));
  const marked = Object.entries(migrationMarks)
    .filter(([, mark]) => mark.olderRuns !== 'yes' || Object.keys(mark.reads).length > 0)
    .map(([name, mark]) => `| \`${name}\` | ${olderRunsText(mark)} | ${waitsText(mark) || 'nothing'}`);
  expect(rows).toEqual(marked);
});
