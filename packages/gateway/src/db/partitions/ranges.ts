// The partitions that a table is cut into: their names and what SQL says of their values.
import { firstIdAt } from '../../runtime/ids.ts';
import type { PartitionedTable } from './layout.ts';

export interface PartitionSpec {
  readonly name: string;
  /** The SQL after FOR VALUES; null for the default partition, which takes what fits no other. */
  readonly values: string | null;
}

/** How many months, and how many steps of a number, get their partition before they begin. */
const MONTHS_AHEAD = 12;
const STEPS_AHEAD = 2;

export interface Extent {
  /** The time of the oldest row and of now, in milliseconds. */
  readonly fromMs: number;
  readonly nowMs: number;
  /** The highest number given out by the sequence. */
  readonly highest: number;
  readonly hashPartitions: number;
}

/** All partitions that a table with rows of this extent needs, some of them ahead of time. */
export function partitionsOf(table: PartitionedTable, extent: Extent): readonly PartitionSpec[] {
  switch (table.by) {
    case 'hash':
      return Array.from({ length: extent.hashPartitions }, (_, place) => ({
        name: `${table.table}_h${pad(place, 3)}`,
        values: `WITH (MODULUS ${extent.hashPartitions}, REMAINDER ${place})`,
      }));
    case 'number': {
      const count = Math.floor(extent.highest / table.step) + 1 + STEPS_AHEAD;
      const steps = Array.from({ length: count }, (_, place) =>
        range(`${table.table}_n${pad(place, 5)}`, `${place * table.step}`, `${(place + 1) * table.step}`),
      );
      return [...steps, theRest(table)];
    }
    case 'month': {
      const idAt = (atMs: number) => `'${firstIdAt(table.prefix, atMs)}'`;
      const months = monthsBetween(extent.fromMs, extent.nowMs).map(({ name, fromMs, toMs }) =>
        range(`${table.table}_${name}`, idAt(fromMs), idAt(toMs)),
      );
      return [...months, theRest(table)];
    }
  }
}

/**
 * The default partition takes what fits no other, such as ids of another form or another century. So no insert is ever
 * refused.
 */
export function theRest({ table }: Pick<PartitionedTable, 'table'>): PartitionSpec {
  return { name: `${table}_rest`, values: null };
}

function range(name: string, from: string, to: string): PartitionSpec {
  return { name, values: `FROM (${from}) TO (${to})` };
}

interface Month {
  readonly name: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Older rows go to the default partition. Otherwise one row with a time of zero would make hundreds of partitions. */
const MAX_MONTHS_BACK = 120;

/** All months from the one of `fromMs` to the one `MONTHS_AHEAD` after `nowMs`. */
function monthsBetween(fromMs: number, nowMs: number): readonly Month[] {
  const now = monthNumber(nowMs);
  const first = Math.max(now - MAX_MONTHS_BACK, Math.min(monthNumber(fromMs), now));
  return Array.from({ length: now + MONTHS_AHEAD - first + 1 }, (_, place) => {
    const month = first + place;
    const name = `${Math.floor(month / 12)}_${pad((month % 12) + 1, 2)}`;
    return { name, fromMs: startOf(month), toMs: startOf(month + 1) };
  });
}

/** Months since the year 0, by UTC. */
function monthNumber(ms: number): number {
  const date = new Date(ms);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12, 1);
}

function pad(number: number, digits: number): string {
  return String(number).padStart(digits, '0');
}
