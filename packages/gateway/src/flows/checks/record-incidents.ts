// Records the incidents that wait for an operator now: opens new ones, and ends those that were not seen lately.
import type { Tx } from '../../db/postgres/tx.ts';
import {
  deletePastIncidents,
  endUnseenIncidents,
  type Incident,
  upsertSeenIncidents,
} from '../../db/tables/operating/incidents.ts';

/** Somewhat more than a year. */
const KEPT_MS = 400 * 86_400_000;

/**
 * `unseenMs` is more than the time between two calls of one process. Several processes call this, and an incident is open
 * while any of them sees it. For example, only a process that started after a chain was added sees incidents of that chain.
 */
export async function recordIncidents(
  tx: Tx,
  found: { readonly incidents: readonly Incident[]; readonly nowMs: number; readonly unseenMs: number },
): Promise<void> {
  const { incidents, nowMs, unseenMs } = found;
  await upsertSeenIncidents(tx, incidents, nowMs);
  await endUnseenIncidents(tx, nowMs - unseenMs);
  await deletePastIncidents(tx, nowMs - KEPT_MS);
}
