// Cuts the large tables of a test run's database so that the rows of tests lie in several partitions.
import { convertTable } from '@ducat/gateway/db/partitions/convert-table';
import { type PartitionedTable, partitionedTables } from '@ducat/gateway/db/partitions/layout';
import type { PartitionSpec } from '@ducat/gateway/db/partitions/ranges';
import type { Database } from '@ducat/gateway/db/postgres/tx';

/** Converts every table that may be partitioned, see `docs/operate/large-tables.md`. */
export async function partitionTables(database: Database): Promise<void> {
  for (const table of partitionedTables)
    await convertTable(
      database,
      table,
      () => Promise.resolve(cut(table)),
      () => undefined,
    );
}

/** The cuts are low, because tests count their ids from one on and have few entries. */
function cut(table: PartitionedTable): readonly PartitionSpec[] {
  const ranges = (cuts: readonly string[]) => [
    ...cuts.map((from, place) => ({
      name: `${table.table}_t${place}`,
      values: `FROM (${from}) TO (${cuts[place + 1] ?? 'MAXVALUE'})`,
    })),
    { name: `${table.table}_rest`, values: null },
  ];
  switch (table.by) {
    case 'hash':
      return [0, 1, 2, 3].map((place) => ({
        name: `${table.table}_h${place}`,
        values: `WITH (MODULUS 4, REMAINDER ${place})`,
      }));
    case 'number':
      return ranges(['0', '2', '4']);
    case 'month':
      return ranges([`'${table.prefix}_1'`, `'${table.prefix}_2'`, `'${table.prefix}_3'`]);
  }
}
