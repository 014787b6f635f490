// Everything of a run, started in order and ended in the reverse: database, chains, merchants, and the gateway's processes.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { CommitCut } from '@ducat/devnet/postgres/proxy';
import type { TcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { startTcpProxy } from '@ducat/devnet/net/tcp-proxy';
import { type App, openApps } from './apps.ts';
import { buildStage, type StageBase, startChains, startReceivers } from './build-stage.ts';
import type { Chain } from './chains/chain.ts';
import type { Chance } from './chance.ts';
import { type FairCuts, fairCutsAtBoth } from './faults/commit-kinds.ts';
import { ReplicatedDatabase } from './processes/database.ts';
import { type LogLine, type RoleName, RoleProcess } from './processes/role-process.ts';
import type { Receiver } from './load/receiver.ts';

const masterSecret = Buffer.from('a1b2c3d4e5f60718293a4b5c6d7e8f900f1e2d3c4b5a69788796a5b4c3d2e1f0', 'hex');

/** How many processes of each role. Payer and collector are only in the run of payouts. */
const ROLES = { api: 2, watcher: 2, notifier: 2, maintenance: 1 } satisfies Partial<Record<RoleName, number>>;

/** A database as the run itself asks it: one statement on the current primary. Throws while there is none. */
export interface RunDatabase {
  query<Row extends object>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  /** A URL without the proxies between gateways and database. */
  directUrl(): string;
}

/** What every run of orders has, whatever its database is. */
export interface Stage {
  readonly database: RunDatabase;
  readonly chains: readonly Chain[];
  readonly receivers: readonly Receiver[];
  readonly apps: readonly App[];
  readonly roles: readonly RoleProcess[];
  /** The proxy before each api, by the api's name. Merchants know only the proxies. */
  readonly apiProxies: ReadonlyMap<string, TcpProxy>;
  /** Starts a process. Where it is an api, its proxy leads to the port that it listens on now. */
  startRole(role: RoleProcess): Promise<void>;
  stop(): Promise<void>;
}

export interface ReplicatedStage extends Stage {
  readonly database: ReplicatedDatabase;
  /** Chooses the COMMITs that are cut, for each place of a cut. */
  readonly commitCuts: Readonly<Record<CommitCut, FairCuts>>;
}

export interface RoleListeners {
  readonly onLog: (line: LogLine) => void;
  readonly onCollapse: (what: string) => void;
}

/** With `isSynchronous` no COMMIT is answered before the standby of the database has it. */
export async function openStage(
  chance: Chance,
  isSynchronous: boolean,
  listeners: RoleListeners,
): Promise<ReplicatedStage> {
  return buildStage(async (base) => {
    const { folder, reaper, onEnd } = base;
    const { commitCuts, onCommit } = fairCutsAtBoth(() => performance.now());
    const database = await ReplicatedDatabase.start(folder, reaper, { isSynchronous, onCommit });
    onEnd(() => database.stop());
    const gateways = await startGateways(base, chance, { database, urlOf: () => database.url, listeners });
    return { ...gateways, database, commitCuts };
  });
}

export interface GatewayOptions {
  readonly database: RunDatabase;
  /** The address of the database for the first or the second process of a role. */
  readonly urlOf: (place: number) => string;
  readonly listeners: RoleListeners;
}

/** Chains, merchants, and the gateway's processes on a database that runs. */
export async function startGateways(
  base: StageBase,
  chance: Chance,
  { database, urlOf, listeners }: GatewayOptions,
): Promise<Omit<Stage, 'stop' | 'database'>> {
  const { folder, reaper, onEnd } = base;
  const chains = await startChains(base);
  const apps: App[] = [];
  const receivers = await startReceivers(base, chance, apps);
  const urls = receivers.map(({ url }) => url);
  apps.push(...(await openApps(database.directUrl(), masterSecret, urls)));
  const DUCAT_MASTER_SECRET = masterSecret.toString('hex');
  const roles = Object.entries(ROLES).flatMap(([role, count]) =>
    Array.from({ length: count }, (_, place) => {
      const name = `${role}-${place + 1}`;
      // The keys of ROLES are names of roles.
      const one = role as RoleName;
      const configFile = join(folder, `${name}.toml`);
      writeFileSync(configFile, configText(one, chains), { mode: 0o600 });
      const environment = { ...process.env, DATABASE_URL: urlOf(place), DUCAT_MASTER_SECRET };
      return new RoleProcess({ name, role: one, configFile, environment, reaper, ...listeners });
    }),
  );
  const apiProxies = new Map<string, TcpProxy>();
  const startRole = async (role: RoleProcess) => {
    await role.start();
    if (role.apiUrl === null) return;
    const target = { host: '127.0.0.1', port: Number(new URL(role.apiUrl).port) };
    const proxy = apiProxies.get(role.name);
    if (proxy !== undefined) return proxy.retarget(target);
    const fresh = await startTcpProxy(target);
    onEnd(() => fresh.stop());
    apiProxies.set(role.name, fresh);
  };
  for (const role of roles) onEnd(() => role.kill());
  await Promise.all(roles.map(startRole));
  return { chains, receivers, apps, roles, apiProxies, startRole };
}

function configText(role: RoleName, chains: readonly Chain[]): string {
  return stringify({
    demo: true,
    roles: [role],
    api: { port: 0, requests_per_second: 1_000, burst: 1_000, requests_per_second_per_address: 5_000 },
    pages: { port: 0 },
    operations: { port: 0 },
    database: { connections: 8 },
    webhooks: { allowed_private_ranges: ['127.0.0.0/8'] },
    rates: { source: 'fixed-demo' },
    addresses: { pool_size: 100 },
    log: { level: 'info' },
    chains: Object.fromEntries(chains.map((chain) => [chain.name, chain.config])),
  });
}
