// Which tables may be partitioned, and by what. Decision 0034 says why these and no others.
import type { IdPrefix } from '../../runtime/ids.ts';

/** A partition for each month, cut by time-ordered ids. */
interface ByMonth {
  readonly by: 'month';
  readonly column: string;
  readonly prefix: IdPrefix;
}

/** A partition for each `step` numbers of a sequence. */
interface ByNumber {
  readonly by: 'number';
  readonly column: string;
  readonly step: number;
}

/** A fixed count of partitions, cut by the hash of a key that has to be unique over all of them. */
interface ByHash {
  readonly by: 'hash';
  readonly columns: readonly string[];
}

export type PartitionedTable = (ByMonth | ByNumber | ByHash) & {
  readonly table: string;
  /** Unique indexes that do not hold the partition's column. Such an index holds within one partition only. */
  readonly localIndexes: readonly string[];
  /**
   * Statement triggers that each partition needs too. A trigger of the whole table fires only for statements that name
   * the whole table.
   */
  readonly leafTriggers: readonly string[];
};

const none = { localIndexes: [], leafTriggers: [] } as const;

/** In the order in which they are converted. Every other table stays as it is. */
export const partitionedTables: readonly PartitionedTable[] = [
  // The address row names the order that has the address. The index is a second guard, needed only for the newest
  // orders.
  {
    table: 'orders',
    by: 'month',
    column: 'trade_no',
    prefix: 'ord',
    ...none,
    localIndexes: ['orders_live_address'],
  },
  { table: 'transfers', by: 'hash', columns: ['chain', 'tx_id', 'position'], ...none },
  {
    table: 'postings',
    by: 'number',
    column: 'entry_id',
    step: 25_000_000,
    ...none,
    leafTriggers: ['append_only'],
  },
  { table: 'archived_events', by: 'month', column: 'event_id', prefix: 'evt', ...none },
  { table: 'archived_delivery_attempts', by: 'month', column: 'event_id', prefix: 'evt', ...none },
  { table: 'archived_quote_evidence', by: 'month', column: 'trade_no', prefix: 'ord', ...none },
];

/** How many partitions a hash makes, unless the operator sets another number. */
export const DEFAULT_HASH_PARTITIONS = 16;
