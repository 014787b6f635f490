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
const NEEDS_A_VALUE = /SET NOT NULL|DROP DEFAULT|ADD COLUMN (?!.*(?:DEFAULT|GENERATED)).*NOT NULL/;

/** New bounds that older processes keep as well, and why. One that replaces another of its name is taken for a wider one. */
const kept = new Map([
  ['entries_one_end_per_payout', 'the state of a payout ended it once before, too'],
  ['addresses_by_index', 'takes the place of a constraint that says the same of these rows'],
  ['addresses_wallets', 'takes the place of the same constraint; older processes make no wallet of an app'],
  ['collections_held', 'older processes delegate nothing, and for them collections_open says the same'],
]);

/** What older processes may be refused: a value that they leave out, or a row that breaks a bound. */
function tighterParts(
  statements: readonly string[],
  made: ReadonlySet<string | undefined>,
): readonly string[] {
  const dropped = new Set(
    statements.flatMap((sql) => [...sql.matchAll(/DROP CONSTRAINT (\w+)/g)].map(([, name]) => name)),
  );
  return statements.flatMap((sql) => {
    const unique = /CREATE UNIQUE INDEX (?:IF NOT EXISTS )?(\w+) ON (\w+)/.exec(sql);
    if (unique !== null) return made.has(unique[2]) || kept.has(unique[1] ?? '') ? [] : [unique[0]];
    const altered = /ALTER TABLE (\w+)/.exec(sql)?.[1];
    if (altered === undefined || made.has(altered)) return [];
    const values = sql.split(',').filter((part) => NEEDS_A_VALUE.test(part));
    const bounds = [...sql.matchAll(/ADD (?:CONSTRAINT (\w+)|CHECK|UNIQUE|FOREIGN KEY|EXCLUDE)/g)];
    return [
      ...values,
      ...bounds.flatMap(([text, name = '']) => (dropped.has(name) || kept.has(name) ? [] : [text])),
    ];
  });
}

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
  if (tighterParts(statements, made).length > 0) expect(mark?.olderRuns).not.toBe('yes');
  // An older process would miss what is gone.
  if (/DROP COLUMN|DROP TABLE|RENAME/.test(text)) expect(mark?.olderRuns).toBe('no');
});

it.each([
  ['ALTER TABLE orders ALTER COLUMN note SET NOT NULL', true],
  ['ALTER TABLE orders ADD COLUMN note text NOT NULL', true],
  ['ALTER TABLE orders ALTER COLUMN note DROP DEFAULT', true],
  ["ALTER TABLE orders ADD CONSTRAINT short CHECK (note <> '') NOT VALID", true],
  ['ALTER TABLE orders ADD FOREIGN KEY (note) REFERENCES notes', true],
  ['CREATE UNIQUE INDEX IF NOT EXISTS one_note ON orders (note)', true],
  ["ALTER TABLE orders ADD COLUMN note text NOT NULL DEFAULT ''", false],
  ['ALTER TABLE orders ADD COLUMN note text CHECK (length(note) < 9)', false],
  ['ALTER TABLE orders DROP CONSTRAINT short, ADD CONSTRAINT short CHECK (true)', false],
  ['CREATE UNIQUE INDEX one_note ON notes (note)', false],
  ['ALTER TABLE notes ADD CONSTRAINT short CHECK (true)', false],
  ['CREATE INDEX some_notes ON orders (note)', false],
])('an older process may be refused what it writes after %s: %s', (sql, isTighter) => {
  expect(tighterParts([sql], new Set(['notes'])).length > 0).toBe(isTighter);
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
