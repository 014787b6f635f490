// Writes down what waits for an operator now. A new incident is opened, and one that was not seen lately is ended.
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
 * `unseenMs` is more than the time between two calls of one process. Several processes may call it, and one of them may see
 * what another cannot, such as a chain that was added since the other one started: an incident is open while any sees it.
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
