// Whether the process lives, and whether it can do its work.
import type { FastifyInstance } from 'fastify';
import { readCursors } from '../../store/cursors.ts';
import { unixTime } from '../../world.ts';
import type { ApiDeps } from './api-deps.ts';
import { sendJson } from './operations.ts';

/** How long an answer is given again, also while it is still being found, so that probing costs next to nothing. */
const KEEP_MS = 1_000;

interface ChainReadiness {
  readonly ready: boolean;
  readonly head: number | null;
  readonly headAgeS: number | null;
}

interface Readiness {
  readonly ready: boolean;
  readonly database: boolean;
  readonly chains: Readonly<Record<string, ChainReadiness>>;
}

/** Adds /healthz (the process answers) and /readyz (the database answers and every chain that is on is fresh). */
export function mountHealth(app: FastifyInstance, deps: ApiDeps): void {
  let last: { readonly atMs: number; readonly readiness: Promise<Readiness> } | null = null;
  app.get('/healthz', (_request, reply) => sendJson(reply, { alive: true }));
  app.get('/readyz', async (_request, reply) => {
    const nowMs = deps.world.nowMs();
    if (last === null || Math.abs(nowMs - last.atMs) >= KEEP_MS) {
      last = { atMs: nowMs, readiness: readinessOf(deps) };
    }
    const readiness = await last.readiness;
    return sendJson(reply.code(readiness.ready ? 200 : 503), readiness);
  });
}

async function readinessOf(deps: ApiDeps): Promise<Readiness> {
  let cursors: Awaited<ReturnType<typeof readCursors>>;
  try {
    cursors = await readCursors(deps.reader);
  } catch {
    return { ready: false, database: false, chains: {} };
  }
  const now = unixTime(deps.world);
  const chains = deps.catalogue.chainsOn().map(({ name }): [string, ChainReadiness] => {
    const cursor = cursors.get(name);
    const headTime = cursor?.headTime ?? null;
    const headAgeS = headTime === null ? null : now - headTime;
    const isFresh = headAgeS !== null && headAgeS <= deps.limits.maxHeadAgeS;
    const isRunning = cursor?.haltedReason === null;
    return [name, { ready: isFresh && isRunning, head: cursor?.head?.number ?? null, headAgeS }];
  });
  const ready = chains.every(([, chain]) => chain.ready);
  return { ready, database: true, chains: Object.fromEntries(chains) };
}
