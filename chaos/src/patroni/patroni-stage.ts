// A run's stage on a Patroni cluster. The gateways run at two sites, with one process of each role at either site.
import { buildStage } from '../build-stage.ts';
import type { Chance } from '../chance.ts';
import { type RoleListeners, type Stage, startGateways } from '../stage.ts';
import { PatroniCluster } from './cluster.ts';
import { SITES } from './member.ts';

export interface PatroniStage extends Stage {
  readonly database: PatroniCluster;
}

/** Throws where the programs of a Patroni cluster are not installed. */
export async function openPatroniStage(chance: Chance, listeners: RoleListeners): Promise<PatroniStage> {
  return buildStage(async (base) => {
    const database = await PatroniCluster.start(base.folder, base.reaper, base.onEnd);
    const urlOf = (place: number) => database.urlAt(SITES[place === 0 ? 0 : 1]);
    const gateways = await startGateways(base, chance, { database, urlOf, listeners });
    return { ...gateways, database };
  });
}
