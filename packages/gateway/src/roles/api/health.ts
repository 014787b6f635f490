// Whether the process lives, and whether it can do its work.
import type { FastifyInstance } from 'fastify';
import {
  DATABASE_AWAY,
  oneAtATime,
  type Readiness,
  READINESS_WITHIN_MS,
  readReadiness,
} from '../../db/reports/readiness.ts';
import { unixTime, within } from '../../runtime/world.ts';
import type { ApiDeps } from './api-deps.ts';
import { sendJson } from './operations.ts';

/** For this long an answer is reused, even while it is still being read, so that probes cost next to nothing. */
const KEEP_MS = 1_000;

/** Adds /healthz (the process answers) and /readyz (the database answers; how each chain that is on stands). */
export function mountHealth(app: FastifyInstance, deps: ApiDeps): void {
  const look = oneAtATime(() => readinessOf(deps));
  const inTime = async () => (await within(deps.world, READINESS_WITHIN_MS, look())) ?? DATABASE_AWAY;
  let last: { readonly atMs: number; readonly readiness: Promise<Readiness> } | null = null;
  app.get('/healthz', (_request, reply) => sendJson(reply, { alive: true }));
  app.get('/readyz', async (_request, reply) => {
    const nowMs = deps.world.nowMs();
    if (last === null || Math.abs(nowMs - last.atMs) >= KEEP_MS) {
      last = { atMs: nowMs, readiness: inTime() };
    }
    const readiness = await last.readiness;
    return sendJson(reply.code(readiness.ready ? 200 : 503), shown(readiness));
  });
}

function readinessOf(deps: ApiDeps): Promise<Readiness> {
  const { catalogue, world } = deps;
  const chains = catalogue.chainsOn().map(({ name }) => name);
  return readReadiness(deps, chains, unixTime(world));
}

/** Anybody may ask here, and the reason for a halt can quote a bug. So only the fact that a chain is halted is shown. */
function shown({ chains, suspended, ...rest }: Readiness): object {
  const shownChains = Object.entries(chains).map(([name, { haltedReason, ...chain }]) => [
    name,
    { ...chain, halted: haltedReason !== null },
  ]);
  const currencies = suspended.map(({ currencyId }) => currencyId);
  return { ...rest, chains: Object.fromEntries(shownChains), suspended: currencies };
}
