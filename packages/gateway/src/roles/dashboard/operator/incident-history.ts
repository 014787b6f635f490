// For operators: incidents.list-past, and the rounds that write incidents down while they last.
import { Bug } from '@ducat/core/assert';
import { readPastIncidents } from '../../../db/tables/operating/incidents.ts';
import { recordIncidents } from '../../../flows/checks/record-incidents.ts';
import { answer, type Handler } from '../call.ts';
import type { DashboardDeps } from '../port.ts';
import { seconds } from '../texts.ts';
import { findIncidents } from './incidents.ts';

const ROUND_MS = 30_000;
/**
 * After this time unseen an incident has ended. Two and a half rounds, because a round and then the next one may be late.
 */
const UNSEEN_MS = 2.5 * ROUND_MS;
const MOST_SHOWN = 100;

/** Runs until the signal. An incident that comes and goes between two rounds is not written down. */
export async function keepIncidents(deps: DashboardDeps, signal: AbortSignal): Promise<void> {
  const { world, logger } = deps;
  while (!signal.aborted) {
    try {
      await noteIncidents(deps);
    } catch (error) {
      logger.warn({ err: error }, 'incidents are not written down');
      if (error instanceof Bug) deps.onBug(error);
    }
    await world.sleep(ROUND_MS, signal);
  }
}

export async function noteIncidents(deps: DashboardDeps): Promise<void> {
  const nowMs = deps.world.nowMs();
  const incidents = await findIncidents(deps, nowMs);
  await deps.transact((tx) => recordIncidents(tx, { incidents, nowMs, unseenMs: UNSEEN_MS }));
}

export const handlePastIncidents: Handler<'incidents.list-past'> = async ({ deps }) => {
  const past = await readPastIncidents(deps.reader, MOST_SHOWN);
  return answer({
    incidents: past.map(({ kind, subject, detail, firstAtMs, lastAtMs }) => ({
      kind,
      subject,
      detail,
      first_seen: seconds(firstAtMs),
      last_seen: seconds(lastAtMs),
    })),
  });
};
