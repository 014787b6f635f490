// For operators: incidents.list-past, and the rounds that write incidents down while they last.
import { Bug } from '@ducat/core/assert';
import { readPastIncidents } from '../../../db/tables/operating/incidents.ts';
import { recordIncidents } from '../../../flows/checks/record-incidents.ts';
import { answer, type Handler } from '../call.ts';
import type { DashboardDeps } from '../port.ts';
import { seconds } from '../texts.ts';
import { findIncidents, type Incident } from './incidents.ts';

const ROUND_MS = 30_000;
const MOST_SHOWN = 100;

/** Runs until the signal. An incident that begins and ends between two rounds is not written down. */
export async function keepIncidents(deps: DashboardDeps, signal: AbortSignal): Promise<void> {
  const { world, logger, onBug } = deps;
  while (!signal.aborted) {
    try {
      await noteIncidents(deps);
    } catch (error) {
      logger.warn({ err: error }, 'incidents are not written down');
      if (error instanceof Bug) onBug(error);
    }
    await world.sleep(ROUND_MS, signal);
  }
}

export async function noteIncidents(deps: DashboardDeps): Promise<void> {
  const nowMs = deps.world.nowMs();
  const found = await findIncidents(deps, nowMs);
  const incidents = found.map(({ kind, subject, detail, since }) => ({
    kind,
    subject,
    detail,
    beganAtMs: since === null ? nowMs : since * 1_000,
  }));
  await deps.transact((tx) => recordIncidents(tx, { incidents, nowMs }));
}

export const handlePastIncidents: Handler<'incidents.list-past'> = async ({ deps }) => {
  const past = await readPastIncidents(deps.reader, MOST_SHOWN);
  return answer({
    incidents: past.map(({ kind, subject, detail, beganAtMs, endedAtMs }) => ({
      // Written down by this very file; a kind that a later version gave up would be shown by its name.
      kind: kind as Incident['kind'],
      subject,
      detail,
      began_at: seconds(beganAtMs),
      ended_at: seconds(endedAtMs),
    })),
  });
};
