// What is done to a run, one thing in each cycle; each takes its own trouble away again before it returns.
import { waitUntil } from '@ducat/devnet/wait-until';
import type { CommitCut } from '@ducat/devnet/postgres-proxy';
import type { TcpProxy, Trouble } from '@ducat/devnet/tcp-proxy';
import type { NodeLine } from './chain.ts';
import type { Chance } from './chance.ts';
import type { RoleName, RoleProcess } from './role-process.ts';
import type { Stage } from './stage.ts';
import { startThrottled } from './throttled.ts';

/** What a fault can do beyond the stage: note what happened, and leave something for later. */
export interface Hand {
  readonly stage: Stage;
  readonly chance: Chance;
  /** Counts something under a name of its own. */
  readonly note: (what: string, times?: number) => void;
  /** Has a frozen process go on after so long, while other faults happen. */
  readonly thawLater: (role: RoleProcess, afterMs: number) => void;
}

export type Fault = (hand: Hand) => Promise<void>;

/** How long trouble on a line lasts. */
const TROUBLE_MS = 800;
/** Longer than what each role holds for itself: the leases of the notifier and of the watcher. */
const FROZEN_MS: Readonly<Record<RoleName, number>> = {
  api: 5_000,
  watcher: 10_000,
  notifier: 31_000,
  clerk: 3_000,
};

/** All faults by name. A name that stands for several processes draws one. */
export const faults: Readonly<Record<string, Fault>> = {
  'kill -9 api': kill('api'),
  'kill -9 watcher': kill('watcher'),
  'kill -9 notifier': kill('notifier'),
  'kill -9 clerk': kill('clerk'),
  'kill -9 all roles at once': killAll,
  'kill -9 PostgreSQL, started again': (hand) => hand.stage.database.killAndRestart(),
  'kill -9 the standby, replaced': (hand) => hand.stage.database.replaceStandby(),
  'SIGSTOP api': freeze('api'),
  'SIGSTOP watcher beyond its lease': freeze('watcher'),
  'SIGSTOP notifier beyond its lease': freeze('notifier'),
  'SIGSTOP clerk': freeze('clerk'),
  'cut before COMMIT reaches the database': cutCommits('before'),
  'cut after COMMIT, before its answer': cutCommits('after'),
  'database connections cut': async ({ stage }) => stage.database.proxy.cut(),
  'database disk full': fillDisk,
  'nodes slow': onNodes(() => ({ latencyMs: 250 })),
  'nodes reset': onNodes((chance) => ({ resetAfterBytes: chance.int(4_000) })),
  'nodes truncate': onNodes((chance) => ({ truncateAfterBytes: chance.int(4_000) })),
  'nodes answer garbage, watchers killed': garbage,
  'nodes away': onNodes(() => ({ refuse: true })),
  'nodes throttle': throttle,
  'api answers lost': onApis((chance) => ({ resetAfterBytes: chance.int(300) })),
  'webhooks reset': onReceivers((chance) => ({ resetAfterBytes: chance.int(100) })),
  'webhooks slow': onReceivers(() => ({ latencyMs: 600 })),
  'merchants away': onReceivers(() => ({ refuse: true })),
  fork: async ({ stage, chance }) => chance.pick(stage.chains).fork(chance),
};

function awake(stage: Stage, name: RoleName): readonly RoleProcess[] {
  return stage.roles.filter(({ role, isFrozen }) => role === name && !isFrozen);
}

function kill(name: RoleName): Fault {
  return async ({ stage, chance }) => {
    const role = chance.pick(stage.roles.filter((candidate) => candidate.role === name));
    await role.kill();
    await stage.startRole(role);
  };
}

async function killAll({ stage }: Hand): Promise<void> {
  await Promise.all(stage.roles.map((role) => role.kill()));
  await Promise.all(stage.roles.map((role) => stage.startRole(role)));
}

function freeze(name: RoleName): Fault {
  return async ({ stage, chance, note, thawLater }) => {
    const candidates = awake(stage, name);
    const isLast = candidates.length === 1;
    const [role] = candidates.length === 0 ? [] : [chance.pick(candidates)];
    if (role === undefined) return note('nobody left to freeze');
    role.freeze();
    if (!isLast) return thawLater(role, FROZEN_MS[name]);
    // Alone in its role, it is waited for: nothing could go on meanwhile.
    await sleep(Math.min(FROZEN_MS[name], FROZEN_MS.clerk));
    role.thaw();
  };
}

function cutCommits(where: CommitCut): Fault {
  return async ({ stage, chance, note }) => {
    const { proxy } = stage.database;
    const before = proxy.cutSoFar()[where];
    const wanted = 1 + chance.int(4);
    proxy.cutCommits(where, wanted);
    const areCut = () => proxy.cutSoFar()[where] >= before + wanted;
    await waitUntil('COMMITs to be cut', areCut, { timeoutMs: 60_000 }).finally(() =>
      proxy.cutCommits(where, 0),
    );
    note(`COMMITs cut ${where}`, wanted);
  };
}

/** The disk is full until a write of the run's own has met it, and the server is started again if that ended it. */
async function fillDisk({ stage, note }: Hand): Promise<void> {
  const { database } = stage;
  const { disk } = database;
  if (disk.whyNot !== null) return note(`disk full: not possible here (${disk.whyNot})`);
  await database.query('create table if not exists chaos_ballast (bytes text)');
  disk.fill();
  try {
    const bytes = 'x'.repeat(4 * 1024 * 1024);
    for (let tries = 0; tries < 50; tries += 1)
      await database.query(
        "insert into chaos_ballast select string_agg(md5(n::text || $1), '') from generate_series(1, 40000) n",
        [bytes.slice(0, 10)],
      );
    throw new Error('the full disk took everything');
  } catch (error) {
    const isFull =
      error instanceof Error &&
      /no space left|terminat|reset|refused|recovery|starting|timeout/i.test(error.message);
    if (!isFull) throw error;
  } finally {
    disk.free();
  }
  if (await database.restartIfDown()) note('PostgreSQL ended by a full disk');
  await database.query('truncate chaos_ballast');
}

function onNodes(trouble: (chance: Chance) => Trouble): Fault {
  return ({ stage, chance }) =>
    troubleFor(
      linesOf(stage).map(({ proxy }) => proxy),
      trouble(chance),
    );
}

function linesOf({ chains }: Stage): readonly NodeLine[] {
  return chains.flatMap(({ lines }) => lines);
}

/** What answers instead of the nodes says to everything that it was too much, as providers above their limits do. */
async function throttle({ stage, note }: Hand): Promise<void> {
  const provider = await startThrottled();
  try {
    for (const { proxy } of linesOf(stage)) {
      proxy.retarget(provider.target);
      proxy.cut();
    }
    // Connections that are cut let the gateway pause before it asks again.
    const isAsked = () => provider.answered() > 0;
    await waitUntil('the nodes to be asked', isAsked, { timeoutMs: 60_000 });
    await sleep(TROUBLE_MS);
  } finally {
    for (const { proxy, target } of linesOf(stage)) {
      proxy.retarget(target);
      proxy.cut();
    }
    await provider.stop();
  }
  note('questions answered with 429', provider.answered());
}

/**
 * A node that lies is left alone for a minute and more, which is right and would take a minute here. What a process
 * thinks of its nodes dies with it, so the watchers are killed, which must be as harmless as ever.
 */
async function garbage(hand: Hand): Promise<void> {
  await onNodes((chance) => ({ garbleAfterBytes: chance.int(2_000) }))(hand);
  const watchers = hand.stage.roles.filter(({ role }) => role === 'watcher');
  await Promise.all(watchers.map((role) => role.kill()));
  await Promise.all(watchers.map((role) => hand.stage.startRole(role)));
}

function onApis(trouble: (chance: Chance) => Trouble): Fault {
  return ({ stage, chance }) => troubleFor([...stage.apiProxies.values()], trouble(chance));
}

function onReceivers(trouble: (chance: Chance) => Trouble): Fault {
  return ({ stage, chance }) =>
    troubleFor(
      stage.receivers.map(({ proxy }) => proxy),
      trouble(chance),
    );
}

/** Connections that were open are cut at the end: they have used up their bytes, and would carry the trouble on. */
async function troubleFor(proxies: readonly TcpProxy[], trouble: Trouble): Promise<void> {
  for (const proxy of proxies) proxy.setTrouble(trouble);
  await sleep(TROUBLE_MS);
  for (const proxy of proxies) {
    proxy.setTrouble({});
    proxy.cut();
  }
}

/** Only for how long trouble lasts; recovery is never waited for like this. */
function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
