// One round of collecting on one chain: open collections are advanced first, then due holdings are looked at.
import { SWEEP_TROUBLE_MS } from '@ducat/core/collection/sweeper-request';
import { hasStuckSweepers } from '../../db/tables/collections/sweepers.ts';
import { readCursor } from '../../db/tables/cursors.ts';
import { withdrawSweepers } from '../../flows/collections/withdraw-sweepers.ts';
import { advanceOpen } from './advance-open.ts';
import type { CollectOutcome, LeasedCollector } from './parts.ts';
import { startDue } from './start-due.ts';
import { takeBackDue } from './stake/take-back-due.ts';

/** Throws Outage where the chain or the database is away. The next round finds all work that was stored. */
export async function collectRound(collector: LeasedCollector): Promise<CollectOutcome> {
  const { reader, writer, transact, world, lease } = collector;
  const chain = writer.definition.name;
  const cursor = await readCursor(reader, chain);
  // mark: nothing-is-collected-on-a-halted-chain
  if (cursor === null || cursor.haltedReason !== null) return 'idle';
  const advanced = await advanceOpen(collector);
  if (advanced === 'lease-lost') return advanced;
  const returned = await takeBackDue(collector);
  if (returned === 'lease-lost') return returned;
  const nowMs = world.nowMs();
  const isSwept = writer.definition.family === 'evm';
  const isStuck = isSwept && (await hasStuckSweepers(reader, chain, nowMs - SWEEP_TROUBLE_MS));
  if (isStuck && !(await transact((tx) => withdrawSweepers(tx, { chain, nowMs, lease }))))
    return 'lease-lost';
  const started = await startDue(collector);
  if (started !== 'idle') return started;
  return advanced === 'idle' ? returned : advanced;
}
