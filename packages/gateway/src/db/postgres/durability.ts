// What the settings of the database promise of a COMMIT that was answered, where it is less than Ducat relies on.

/** As the primary says them, on the connection that is asked. */
export interface Durability {
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly standbyNames: string;
}

/** Columns that give them, for a query that is sent to the server anyway. */
export const DURABILITY_COLUMNS = `current_setting('fsync') AS "fsync",
  current_setting('full_page_writes') AS "fullPageWrites",
  current_setting('synchronous_commit') AS "synchronousCommit",
  current_setting('synchronous_standby_names') AS "standbyNames"`;

/** Whether a COMMIT is answered only once a standby has it. */
export function isSynchronous({ synchronousCommit, standbyNames }: Durability): boolean {
  return standbyNames !== '' && synchronousCommit !== 'off' && synchronousCommit !== 'local';
}

/** `k (names)`, with ANY or FIRST before it. Names alone stand for the first of them. */
const COUNTED = /^\s*(?:(?:ANY|FIRST)\s+)?(\d+)\s*\((.*)\)\s*$/is;

/**
 * Whether every standby that can take its place was waited for. Others may be promoted than those k that have it, be it
 * any of the list or the first ones connected, unless k are all members but the primary. What an asterisk stands for
 * nobody knows, nor behind one name whether the list has the primary in it as well.
 */
export function waitsForEvery(durability: Durability, hosts: number): boolean {
  const [, waitedFor = '1', names = durability.standbyNames] = COUNTED.exec(durability.standbyNames) ?? [];
  if (!isSynchronous(durability) || names.includes('*')) return false;
  const named = names.split(',').length;
  const members = hosts === 1 ? named + 1 : Math.max(hosts, named);
  return Number(waitedFor) >= members - 1;
}

/** One sentence for each setting that can lose what was acknowledged; `hosts` are those of the address. */
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
