// The plan for partitioning a database, and its execution: what `ducat database partition` does.
import type { Database, Reader } from '../postgres/tx.ts';
import { convertTable, type Report } from './convert-table.ts';
import { isPartitioned } from './create-partitions.ts';
import { type PartitionedTable, partitionedTables } from './layout.ts';
import { partitionsOf, type PartitionSpec } from './ranges.ts';

export interface PartitionOptions {
  readonly nowMs: number;
  /** How many partitions a table that is cut by a hash gets. */
  readonly hashPartitions: number;
}

/** What partitioning would do to one table. */
export interface TablePlan {
  readonly table: string;
  readonly state: 'plain' | 'copying' | 'partitioned';
  /** Estimated by the database. */
  readonly rows: number;
  /** Size with indexes. The copy needs the same space on the disk once more. */
  readonly bytes: number;
  /** Names of the partitions that would be made; empty where it is partitioned. */
  readonly partitions: readonly string[];
}

/** Changes nothing. */
export async function planPartitions(
  reader: Reader,
  options: PartitionOptions,
): Promise<readonly TablePlan[]> {
  const plans: TablePlan[] = [];
  for (const table of partitionedTables) {
    const { table: name } = table;
    const [size] = await reader.read<{ plain: boolean; rows: number; bytes: number }>(SIZE, [name]);
    const isDone = await isPartitioned(reader, name);
    const specs = isDone ? [] : await specsOf(reader, table, options);
    plans.push({
      table: name,
      state: isDone ? 'partitioned' : size?.plain === true ? 'plain' : 'copying',
      rows: size?.rows ?? 0,
      bytes: size?.bytes ?? 0,
      partitions: specs.map((spec) => spec.name),
    });
  }
  return plans;
}

/**
 * Size of a table, found by its name or by the name that it has while it is copied. All partitions of a partitioned
 * table count.
 */
const SIZE = `
  SELECT to_regclass($1) IS NOT NULL AS plain, sum(greatest(reltuples, 0))::bigint AS rows,
    sum(pg_total_relation_size(oid))::bigint AS bytes
  FROM pg_class WHERE oid = coalesce(to_regclass($1), to_regclass($1 || '_plain'))
    OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass($1))`;

/**
 * Partitions all tables that are not partitioned yet. Can be broken off at any moment and called again. No gateway may
 * run, because its writes to a table that is being copied would be refused, see `convertTable`.
 */
export async function partitionDatabase(
  database: Database,
  options: PartitionOptions,
  report: Report,
): Promise<void> {
  for (const table of partitionedTables)
    await convertTable(database, table, (reader) => specsOf(reader, table, options), report);
}

async function specsOf(
  reader: Reader,
  table: PartitionedTable,
  { nowMs, hashPartitions }: PartitionOptions,
): Promise<readonly PartitionSpec[]> {
  const [row] = await reader.read<{ from_ms: number | null; highest: number | null }>(EXTENT, []);
  return partitionsOf(table, {
    fromMs: row?.from_ms ?? nowMs,
    nowMs,
    highest: row?.highest ?? 0,
    hashPartitions,
  });
}

// No row can be older than the oldest app, because every row belongs to an app.
const EXTENT = `SELECT (SELECT min(created_at_ms) FROM apps) AS from_ms, (SELECT max(entry_id) FROM entries) AS highest`;

/** User and address of the other sessions on the database now; empty without any. */
export async function readOthersConnected(reader: Reader): Promise<readonly string[]> {
  const rows = await reader.read<{ who: string }>(
    `SELECT format('%s from %s', usename, coalesce(client_addr::text, 'this machine')) AS who FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
    [],
  );
  return rows.map(({ who }) => who);
}
