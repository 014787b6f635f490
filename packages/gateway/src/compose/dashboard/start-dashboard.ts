// Joins the dashboard to its neighbours and has it listen.
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../../config/config-error.ts';
import { raiseWalls } from '../../db/tables/access/walls.ts';
import { createOneTimeCodes } from '../../keys/one-time-codes.ts';
import { createPasswords } from '../../keys/passwords.ts';
import { createDashboard } from '../../roles/dashboard/dashboard-app.ts';
import { defaultDashboardLimits } from '../../roles/dashboard/port.ts';
import { builtFiles } from '../../roles/dashboard/static-files.ts';
import type { Parts } from '../parts.ts';

export interface RunningDashboard {
  readonly url: string;
  close(): Promise<void>;
}

/** Throws ConfigError where the database has no wall between merchants and does not let us raise it. */
export async function startDashboard(parts: Parts): Promise<RunningDashboard> {
  const { config, database, world, log, metrics } = parts;
  const { transact, reader } = database;
  const trouble = await raiseWalls(transact);
  if (trouble !== null) throw new ConfigError(`dashboard: ${trouble}`);
  const app = createDashboard({
    reader,
    transact,
    world,
    logger: log,
    passwords: createPasswords(world),
    oneTimeCodes: createOneTimeCodes({ masterSecret: config.masterSecret, world }),
    limits: { ...defaultDashboardLimits, trustedProxies: config.api.trustedProxies },
    url: config.dashboard.url,
    signUp: config.dashboard.signUp,
    demo: config.demo,
    filesFolder: builtFiles,
    onBug: metrics.onBug,
  });
  try {
    await app.listen({ host: config.dashboard.host, port: config.dashboard.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${config.dashboard.host}:${port}`, close: () => app.close() };
}
