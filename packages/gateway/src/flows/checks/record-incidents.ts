// Writes down what waits for an operator now: what is new begins, and what is over ends.
import type { Tx } from '../../db/postgres/tx.ts';
import {
  deletePastIncidents,
  endOtherIncidents,
  type Incident,
  upsertOpenIncidents,
} from '../../db/tables/operating/incidents.ts';

/** Somewhat more than a year. */
const KEPT_MS = 400 * 86_400_000;

/** Run by several processes at a time, it writes the same. */
export async function recordIncidents(
  tx: Tx,
  { incidents, nowMs }: { readonly incidents: readonly Incident[]; readonly nowMs: number },
): Promise<void> {
  await endOtherIncidents(tx, incidents, nowMs);
  await upsertOpenIncidents(tx, incidents);
  await deletePastIncidents(tx, nowMs - KEPT_MS);
}
