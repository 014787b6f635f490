// How durable a COMMIT is once it was answered: which settings of the database promise less than Ducat relies on.

/** Settings of the primary, as one connection to it reports them. */
export interface Durability {
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly standbyNames: string;
}

/** Columns that select these settings, appended to a query that is sent anyway. */
export const DURABILITY_COLUMNS = `current_setting('fsync') AS "fsync",
  current_setting('full_page_writes') AS "fullPageWrites",
  current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('synchronous_standby_names') AS "standbyNames"`;

/** Whether a COMMIT is answered only once a standby has it. */
export function isSynchronous({ synchronousCommit, standbyNames }: Durability): boolean {
  return standbyNames !== '' && synchronousCommit !== 'off' && synchronousCommit !== 'local';
}

/**
 * The form `ANY k (names)` or `FIRST k (names)`, where ANY and FIRST may be missing. A plain list of names means `FIRST
 * 1`.
 */
const COUNTED = /^\s*(?:(?:ANY|FIRST)\s+)?(\d+)\s*\((.*)\)\s*$/is;

/**
 * Whether a COMMIT waits for every standby that can be promoted. With `k (names)` a standby without the COMMIT may be
 * promoted, unless k covers all members but the primary. False for an asterisk, because its members are unknown. Counts
 * members on the safe side, because the list may name the primary too.
 */
export function waitsForEvery(durability: Durability, hosts: number): boolean {
  const [, waitedFor = '1', names = durability.standbyNames] = COUNTED.exec(durability.standbyNames) ?? [];
  if (!isSynchronous(durability) || names.includes('*')) return false;
  const named = names.split(',').length;
  const members = hosts === 1 ? named + 1 : Math.max(hosts, named);
  return Number(waitedFor) >= members - 1;
}

/** One sentence for each setting that can lose acknowledged data. `hosts` is how many the address names. */
export function durabilityGaps(
  { fsync, fullPageWrites, synchronousCommit, standbyNames }: Durability,
  hosts: number,
): readonly string[] {
  const gaps: string[] = [];
  if (fsync === 'off') gaps.push('fsync is off: a power cut can destroy the whole database');
  if (fullPageWrites === 'off') gaps.push('full_page_writes is off: a power cut can damage the database');
  if (synchronousCommit === 'off') {
    gaps.push('synchronous_commit is off: a crash loses payments that were already reported');
  }
  if (hosts > 1 && standbyNames === '') {
    gaps.push('several hosts, but synchronous_standby_names is empty: a failover can lose what was reported');
  } else if (standbyNames !== '' && synchronousCommit === 'local') {
    gaps.push(
      'synchronous_commit is local: no standby is waited for, so a failover can lose what was reported',
    );
  }
  return gaps;
}
