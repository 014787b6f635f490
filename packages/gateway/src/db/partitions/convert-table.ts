// Turns one table into a partitioned one while no gateway runs: copied in steps, compared, and put in its place at once.
import { assert } from '@ducat/core/assert';
import type { Database, Reader, Tx } from '../postgres/tx.ts';
import { createPartitions, isPartitioned, renamed } from './create-partitions.ts';
import type { PartitionedTable } from './layout.ts';
import type { PartitionSpec } from './ranges.ts';

/** How many blocks of the table's file one transaction copies. A crash repeats at most so many. */
const BLOCKS_AT_ONCE = 16_384;

/** Gets one line of progress at a time. */
export type Report = (line: string) => void;

/**
 * Converts the table, or goes on with a copy that was broken off. A partitioned table stays as it is. From the first
 * step until the last, the plain table is called `<table>_plain`. So a gateway that starts meanwhile finds no table and
 * writes nothing that the copy would lack.
 */
export async function convertTable(
  database: Database,
  table: PartitionedTable,
  partitions: (reader: Reader) => Promise<readonly PartitionSpec[]>,
  report: Report,
): Promise<void> {
  const { transact, reader } = database;
  if (await isPartitioned(reader, table.table)) return report(`${table.table}: partitioned already`);
  const specs = await partitions(reader);
  await transact((tx) => begin(tx, table, specs), 'unhurried');
  for (;;) {
    const left = await transact((tx) => copy(tx, table.table), 'unhurried');
    if (left === 0) break;
    report(`${table.table}: ${left} blocks left to copy`);
  }
  const rows = await transact((tx) => compare(tx, table.table), 'unhurried');
  report(`${table.table}: ${rows} rows copied, all equal; building its indexes`);
  await transact((tx) => replace(tx, table), 'unhurried');
  await transact((tx) => tx.write(`ANALYZE ${table.table}`, []), 'unhurried');
  report(`${table.table}: partitioned`);
}

function keyOf(table: PartitionedTable): string {
  return table.by === 'hash' ? `HASH (${table.columns.join(', ')})` : `RANGE (${table.column})`;
}

async function begin(tx: Tx, table: PartitionedTable, specs: readonly PartitionSpec[]): Promise<void> {
  const { table: name } = table;
  const [begun] = await tx.read('SELECT FROM partitioning WHERE table_name = $1 FOR UPDATE', [name]);
  if (begun !== undefined) return;
  await tx.write(`ALTER TABLE ${name} RENAME TO ${name}_plain`, []);
  await tx.write(
    `CREATE TABLE ${name}_partitioned (LIKE ${name}_plain INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)
     PARTITION BY ${keyOf(table)}`,
    [],
  );
  await createPartitions(tx, `${name}_partitioned`, specs);
  await tx.write(
    `INSERT INTO partitioning (table_name, next_block, blocks)
     SELECT $1, 0, pg_relation_size(to_regclass($1 || '_plain')) / current_setting('block_size')::bigint`,
    [name],
  );
}

/** Copies the next blocks; returns how many are left. */
async function copy(tx: Tx, table: string): Promise<number> {
  const [row] = await tx.read<{ next_block: number; blocks: number }>(
    'SELECT next_block, blocks FROM partitioning WHERE table_name = $1 FOR UPDATE',
    [table],
  );
  assert(row !== undefined, `${table} is being copied`);
  const until = Math.min(row.blocks, row.next_block + BLOCKS_AT_ONCE);
  await tx.write(
    `INSERT INTO ${table}_partitioned SELECT * FROM ${table}_plain WHERE ctid >= $1::tid AND ctid < $2::tid`,
    [`(${row.next_block},0)`, `(${until},0)`],
  );
  await tx.write('UPDATE partitioning SET next_block = $2 WHERE table_name = $1', [table, until]);
  return row.blocks - until;
}

/** Throws unless both tables have the same rows; returns how many. */
async function compare(tx: Tx, table: string): Promise<number> {
  const sumOf = (name: string) =>
    `SELECT count(*) AS rows, sum(hashtextextended(t::text, 0)::numeric) AS hash FROM ${name} AS t`;
  const sums = await tx.read<{ rows: number; hash: string | null }>(
    `${sumOf(`${table}_plain`)} UNION ALL ${sumOf(`${table}_partitioned`)}`,
    [],
  );
  const [plain, partitioned] = sums;
  const isEqual = plain?.rows === partitioned?.rows && plain?.hash === partitioned?.hash;
  if (plain === undefined || !isEqual) {
    const counts = `${plain?.rows} and ${partitioned?.rows} rows`;
    throw new Error(
      `${table}: the copy differs from the table (${counts}). Nothing was lost: drop ${table}_partitioned, rename ` +
        `${table}_plain to ${table}, delete its row in partitioning`,
    );
  }
  return plain.rows;
}

/**
 * Puts the copy in the place of the plain table, with its keys, indexes, triggers and the foreign keys of other tables.
 */
async function replace(tx: Tx, table: PartitionedTable): Promise<void> {
  const { table: name } = table;
  const plain = `${name}_plain`;
  const constraints = await tx.read<Definition>(CONSTRAINTS, [plain]);
  const indexes = await tx.read<IndexDefinition>(INDEXES, [plain]);
  const triggers = await tx.read<Definition>(TRIGGERS, [plain]);
  await tx.write(`DROP TABLE ${plain} CASCADE`, []);
  await tx.write(`ALTER TABLE ${name}_partitioned RENAME TO ${name}`, []);
  const leaves = await tx.read<{ leaf: string }>(
    'SELECT inhrelid::regclass::text AS leaf FROM pg_inherits WHERE inhparent = to_regclass($1) ORDER BY 1',
    [name],
  );
  for (const { leaf } of leaves) {
    for (const { name: index, sql } of indexes.filter((one) => isLocal(table, one))) {
      await tx.write(renamed(sql, plain, leaf).replace(` ${index} `, ` ${renamed(index, name, leaf)} `), []);
    }
    for (const { sql } of triggers.filter((one) => table.leafTriggers.includes(one.name)))
      await tx.write(renamed(sql, plain, leaf), []);
  }
  const ofWhole = indexes.filter((one) => !isLocal(table, one));
  for (const { sql } of [...constraints, ...ofWhole, ...triggers])
    await tx.write(renamed(sql, plain, name), []);
  await tx.write('DELETE FROM partitioning WHERE table_name = $1', [name]);
}

interface Definition {
  readonly name: string;
  readonly sql: string;
}

interface IndexDefinition extends Definition {
  readonly is_unique: boolean;
  readonly columns: readonly string[];
}

/**
 * Whether an index goes onto each partition instead of onto the whole table. Such a unique index holds within one
 * partition only, so an index that the layout does not list in `localIndexes` throws.
 */
function isLocal(table: PartitionedTable, { name, is_unique: isUnique, columns }: IndexDefinition): boolean {
  const key = table.by === 'hash' ? table.columns : [table.column];
  if (!isUnique || key.every((column) => columns.includes(column))) return false;
  assert(
    table.localIndexes.includes(name),
    `${name} would hold within each partition of ${table.table} alone`,
  );
  return true;
}

// Primary and unique keys come first, because foreign keys refer to them. A key without the partition's column fails
// here.
const CONSTRAINTS = `
  SELECT conname AS name,
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS sql
  FROM pg_constraint
  WHERE contype IN ('p', 'u', 'f') AND conparentid = 0 AND (conrelid = to_regclass($1) OR confrelid = to_regclass($1))
  ORDER BY contype = 'f', conname`;

const INDEXES = `
  SELECT relname AS name, indisunique AS is_unique, pg_get_indexdef(indexrelid) AS sql, ARRAY(
    SELECT attname::text FROM pg_attribute WHERE attrelid = indrelid AND attnum = ANY (indkey::smallint[])) AS columns
  FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
  WHERE indrelid = to_regclass($1) AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND conrelid = indrelid)`;

const TRIGGERS = `
  SELECT tgname AS name, pg_get_triggerdef(oid) AS sql FROM pg_trigger WHERE tgrelid = to_regclass($1) AND NOT tgisinternal`;
