// Creates the partitions that one table will need, long in advance.
import type { Tx } from '../../db/postgres/tx.ts';
import { addPartitions } from '../../db/partitions/create-partitions.ts';
import type { PartitionedTable } from '../../db/partitions/layout.ts';

/** Returns how many were created; 0 where the table is not partitioned or has all that it needs for a year. */
export async function addComingPartitions(tx: Tx, table: PartitionedTable, nowMs: number): Promise<number> {
  return (await addPartitions(tx, table, nowMs)).length;
}
