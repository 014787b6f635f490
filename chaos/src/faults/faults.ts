// The faults of a run, one in each cycle. Each fault ends its own trouble before it returns.
import { waitUntil } from '@ducat/devnet/process/wait-until';
import type { CommitCut } from '@ducat/devnet/postgres/proxy';
import { commitKinds, kindOf } from './commit-kinds.ts';
import type { Fault, Hand } from './fault.ts';
import { freezeApi, freezeMaintenance, freezeNotifier, freezeWatcher } from './freezes.ts';
import { fillDisk } from './full-disk.ts';
import { onApis, onNodes, onReceivers, throttleNodes } from './line-troubles.ts';
import type { RoleName } from '../processes/role-process.ts';
import { readHolders, untilTakenOver } from './watch-leases.ts';

/** All faults by name. Where a name fits several processes, the seed draws one. */
export const faults: Readonly<Record<string, Fault>> = {
  'kill -9 api': kill('api'),
  'kill -9 watcher': killWatcher,
  'kill -9 notifier': kill('notifier'),
  'kill -9 maintenance': kill('maintenance'),
  'kill -9 all roles at once': killAll,
  'kill -9 PostgreSQL, started again': (hand) => hand.stage.database.killAndRestart(),
  'kill -9 the standby, replaced': (hand) => hand.stage.database.replaceStandby(),
  'SIGSTOP api': freezeApi,
  'SIGSTOP watcher beyond its lease': freezeWatcher,
  'SIGSTOP notifier beyond its lease': freezeNotifier,
  'SIGSTOP maintenance': freezeMaintenance,
  'cut before COMMIT reaches the database': cutCommits('before'),
  'cut after COMMIT, before its answer': cutCommits('after'),
  'database connections cut': cutConnections,
  'database disk full': fillDisk,
  'nodes slow': onNodes(() => ({ latencyMs: 250 })),
  'nodes reset': onNodes((chance) => ({ resetAfterBytes: chance.int(4_000) })),
  'nodes truncate': onNodes((chance) => ({ truncateAfterBytes: chance.int(4_000) })),
  'nodes answer garbage, watchers killed': garbage,
  'nodes away': onNodes(() => ({ refuse: true })),
  'nodes throttle': throttleNodes,
  'api answers lost': onApis((chance) => ({ resetAfterBytes: chance.int(300) })),
  'webhooks reset': onReceivers((chance) => ({ resetAfterBytes: chance.int(100) })),
  'webhooks slow': onReceivers(() => ({ latencyMs: 600 })),
  'merchants away': onReceivers(() => ({ refuse: true })),
  fork: async ({ stage, chance }) => chance.pick(stage.chains).fork(chance),
};

function kill(name: RoleName): Fault {
  return async ({ stage, chance }) => {
    const role = chance.pick(stage.roles.filter((candidate) => candidate.role === name));
    await role.kill();
    await stage.startRole(role);
  };
}

/** Kills either watcher. The other one takes over its chains, or it takes them again itself under new fencing tokens. */
async function killWatcher({ stage, chance, took }: Hand): Promise<void> {
  const role = chance.pick(stage.roles.filter((candidate) => candidate.role === 'watcher'));
  const held = (await readHolders(stage)).find((holder) => holder.role === role);
  await role.kill();
  const takenOver = untilTakenOver(stage, held?.tokens ?? new Map());
  await Promise.all([takenOver, stage.startRole(role)]);
  if (held !== undefined) took('chains taken over from a killed watcher', await takenOver);
}

async function killAll({ stage }: Hand): Promise<void> {
  await Promise.all(stage.roles.map((role) => role.kill()));
  await Promise.all(stage.roles.map((role) => stage.startRole(role)));
}

function cutCommits(where: CommitCut): Fault {
  return async ({ stage, chance, note, hit }) => {
    const fair = stage.commitCuts[where];
    const { proxy } = stage.database;
    for (const kind of commitKinds) note(`COMMITs cut ${where}: ${kind}`, 0);
    for (let left = 3 + chance.int(4); left > 0; left -= 1) {
      const before = proxy.cuts().length;
      proxy.cutCommits(where, 1, (commit) => fair.isNext(commit));
      const isCut = () => proxy.cuts()[before];
      const commit = await waitUntil('a COMMIT to be cut', isCut, { timeoutMs: 60_000 }).finally(() =>
        proxy.cutCommits(where, 0),
      );
      fair.wasCut(commit);
      note(`COMMITs cut ${where}: ${kindOf(commit)}`);
      hit(1);
    }
  };
}

async function cutConnections({ stage, hit }: Hand): Promise<void> {
  const [row] = await stage.database.query<{ count: string }>(
    'select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  stage.database.proxy.cut();
  hit(Number(row?.count ?? 0));
}

/**
 * After invalid answers a provider is avoided for a minute and more. That is right, but each cycle would have to wait for
 * it. Circuits are kept in memory, so the watchers are killed to reset them, which must be as harmless as ever.
 */
async function garbage(hand: Hand): Promise<void> {
  await onNodes((chance) => ({ garbleAfterBytes: chance.int(2_000) }))(hand);
  const watchers = hand.stage.roles.filter(({ role }) => role === 'watcher');
  await Promise.all(watchers.map((role) => role.kill()));
  await Promise.all(watchers.map((role) => hand.stage.startRole(role)));
}
