// Which watcher holds which chain, and how long it takes until another has taken over.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { RoleProcess } from '../processes/role-process.ts';
import type { Stage } from '../stage.ts';

/** A process and the leases it holds, each by its fencing token. */
export interface Holder {
  readonly role: RoleProcess;
  readonly tokens: ReadonlyMap<string, number>;
}

const WITHIN_MS = 120_000;

/** The current holders that live. A lease whose holder was killed is left out. */
export async function readHolders(stage: Stage): Promise<readonly Holder[]> {
  const rows = await readWatchLeases(stage);
  return stage.roles.flatMap((role) => {
    const own = rows.filter(({ holder }) => holder !== null && holder === role.holder);
    const tokens = new Map(own.map(({ name, token }) => [name, Number(token)]));
    return tokens.size === 0 ? [] : [{ role, tokens }];
  });
}

/** Waits until every one of the leases has been taken over. Returns the milliseconds that this took. */
export async function untilTakenOver(stage: Stage, tokens: Holder['tokens']): Promise<number> {
  const startedMs = performance.now();
  const areTaken = async () => {
    const now = new Map((await readWatchLeases(stage)).map(({ name, token }) => [name, Number(token)]));
    return [...tokens].every(([name, token]) => (now.get(name) ?? 0) > token);
  };
  await waitUntil('leases to be taken over', areTaken, { timeoutMs: WITHIN_MS, everyMs: 50 });
  return performance.now() - startedMs;
}

function readWatchLeases({ database }: Stage) {
  return database.query<{ name: string; token: string; holder: string | null }>(
    "select name, token, holder from leases where name like 'watch-%'",
  );
}
