// Makes partitions of a table, each with what the database does not pass on to it by itself.
import type { Tx } from '../postgres/tx.ts';
import type { PartitionedTable } from './layout.ts';
import { type Extent, partitionsOf, type PartitionSpec, theRest } from './ranges.ts';

/**
 * Makes the missing ones of these partitions; returns their names. `parent` may be the name that the table has while it
 * is copied.
 */
export async function createPartitions(
  tx: Tx,
  parent: string,
  specs: readonly PartitionSpec[],
): Promise<readonly string[]> {
  const known = await tx.read<{ name: string }>(
    'SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = to_regclass($1)',
    [parent],
  );
  const names = new Set(known.map(({ name }) => name));
  const missing = specs.filter(({ name }) => !names.has(name));
  for (const { name, values } of missing) {
    await tx.write(
      `CREATE TABLE ${name} PARTITION OF ${parent} ${values === null ? 'DEFAULT' : `FOR VALUES ${values}`}`,
      [],
    );
  }
  return missing.map(({ name }) => name);
}

/** How long to wait for the lock on the table, because every other statement on it queues behind this wait. */
const LOCK_MS = 2_000;

/**
 * Makes the next partitions, long before they are needed; returns their names. Makes none where the table is not
 * partitioned, or is cut by a hash into a fixed count.
 */
export async function addPartitions(
  tx: Tx,
  table: PartitionedTable,
  nowMs: number,
): Promise<readonly string[]> {
  if (table.by === 'hash' || !(await isPartitioned(tx, table.table))) return [];
  await tx.read(`SELECT set_config('lock_timeout', $1, true)`, [`${LOCK_MS}`]);
  const [row] = await tx.read<{ highest: number }>(
    'SELECT coalesce(max(entry_id), 0) AS highest FROM entries',
    [],
  );
  const extent: Extent = { fromMs: nowMs, nowMs, highest: row?.highest ?? 0, hashPartitions: 0 };
  const added = await createPartitions(tx, table.table, partitionsOf(table, extent));
  for (const name of added) await equip(tx, name, theRest(table).name);
  return added;
}

export async function isPartitioned(tx: Pick<Tx, 'read'>, table: string): Promise<boolean> {
  const rows = await tx.read(`SELECT FROM pg_class WHERE oid = to_regclass($1) AND relkind = 'p'`, [table]);
  return rows.length > 0;
}

/** Gives a new partition the indexes and triggers that another partition has and the whole table lacks. */
async function equip(tx: Tx, name: string, model: string): Promise<void> {
  const own = await tx.read<{ sql: string }>(OWN, [model]);
  for (const { sql } of own) await tx.write(renamed(sql, model, name), []);
}

/** Indexes that belong to no index of the whole table, and triggers that were made on the partition itself. */
const OWN = `
  SELECT pg_get_indexdef(indexrelid) AS sql FROM pg_index
  WHERE indrelid = to_regclass($1) AND NOT EXISTS (SELECT FROM pg_inherits WHERE inhrelid = indexrelid)
  UNION ALL
  SELECT pg_get_triggerdef(oid) FROM pg_trigger
  WHERE tgrelid = to_regclass($1) AND NOT tgisinternal AND tgparentid = 0`;

/** A definition with one table's name in place of another's, also where it begins the name of an index. */
export function renamed(sql: string, from: string, to: string): string {
  return sql.replaceAll(new RegExp(`\\b${from}`, 'g'), to);
}
