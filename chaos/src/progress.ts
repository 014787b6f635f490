// Decides whether everything goes on after a fault: by work that gets done, never by elapsed time.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { Load } from './load/load.ts';
import type { Stage } from './stage.ts';

const WITHIN_MS = 180_000;

/** The moment from which on progress counts, and the heads of the chains at that moment. */
interface Mark {
  readonly sinceMs: number;
  readonly heads: ReadonlyMap<string, number>;
}

/**
 * Waits until an order asked for from now on was acknowledged, each chain was read up to where it stands now, and a
 * merchant has accepted a webhook. Throws with what is missing.
 */
export async function untilProgress(stage: Stage, load: Load): Promise<void> {
  const mark: Mark = { sinceMs: performance.now(), heads: await headsOf(stage) };
  let missing: readonly string[] = [];
  const hasGoneOn = async () => {
    missing = await missingSince(mark, stage, load);
    return missing.length === 0;
  };
  try {
    await waitUntil('everything to go on', hasGoneOn, { timeoutMs: WITHIN_MS, everyMs: 40 });
  } catch (cause) {
    throw new Error(`nothing goes on: ${missing.join(', ')}`, { cause });
  }
}

async function headsOf({ chains }: Stage): Promise<ReadonlyMap<string, number>> {
  const heads = new Map<string, number>();
  for (const chain of chains) heads.set(chain.name, (await chain.head()).number);
  return heads;
}

async function missingSince({ sinceMs, heads }: Mark, stage: Stage, load: Load): Promise<readonly string[]> {
  const missing: string[] = [];
  if (load.lastAskedMs() < sinceMs) missing.push('no order was acknowledged');
  if (stage.receivers.every((receiver) => receiver.lastAcceptedMs() < sinceMs))
    missing.push('no webhook was accepted');
  // The database is asked only once the cheap checks have passed.
  if (missing.length > 0) return missing;
  try {
    const rows = await stage.database.query<{
      chain: string;
      head_number: string | null;
      halted_reason: string | null;
    }>('select chain, head_number, halted_reason from chain_cursors');
    for (const [name, head] of heads) {
      const row = rows.find(({ chain }) => chain === name);
      if (row?.halted_reason) throw new Error(`${name} was halted: ${row.halted_reason}`);
      // A fork never makes a chain shorter, so the height is enough to compare.
      if (Number(row?.head_number ?? -1) < head)
        missing.push(`${name} is read up to ${row?.head_number}, not ${head}`);
    }
  } catch (error) {
    missing.push(String(error));
  }
  return missing;
}
