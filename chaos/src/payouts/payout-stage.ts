// Everything of a run of payouts: database, chains, shops, the roles in processes of their own, and the signer in its own.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { Chain } from '../chains/chain.ts';
import type { Chance } from '../chance.ts';
import type { App } from '../apps.ts';
import { buildStage, type StageBase, startChains, startReceivers } from '../build-stage.ts';
import type { Receiver } from '../load/receiver.ts';
import { ReplicatedDatabase } from '../processes/database.ts';
import { RoleProcess } from '../processes/role-process.ts';
import type { RoleListeners } from '../stage.ts';
import { openShops } from './open-shops.ts';
import { SignerProcess } from './signer-process.ts';

/** Each line is a process. No fault kills the first one, which serves merchants and sends webhooks. */
const PROCESSES = {
  api: ['api', 'notifier', 'maintenance'],
  watcher: ['watcher'],
  payer: ['payer'],
  collector: ['collector'],
} as const;

export interface PayoutStage {
  readonly database: ReplicatedDatabase;
  readonly chains: readonly Chain[];
  readonly receivers: readonly Receiver[];
  readonly apps: readonly App[];
  readonly roles: readonly RoleProcess[];
  readonly signer: SignerProcess;
  /** The configuration file for operators' commands. */
  readonly configFile: string;
  readonly apiUrl: string;
  stop(): Promise<void>;
}

/** Opens the stage. Its last shop has the races, which take that shop's whole balance. */
export async function openPayoutStage(chance: Chance, callbacks: RoleListeners): Promise<PayoutStage> {
  return buildStage((base) => fill(base, chance, callbacks));
}

async function fill(
  base: StageBase,
  chance: Chance,
  callbacks: RoleListeners,
): Promise<Omit<PayoutStage, 'stop'>> {
  const { folder, reaper, onEnd } = base;
  const database = await ReplicatedDatabase.start(folder, reaper, {
    isSynchronous: true,
    onCommit: () => {},
  });
  onEnd(() => database.stop());
  const chains = await startChains(base);
  const signer = await SignerProcess.start(folder, chains, reaper);
  onEnd(() => signer.kill());
  const apps: App[] = [];
  const receivers = await startReceivers(base, chance, apps);
  const files = Object.entries(PROCESSES).map(([name, roles]) => {
    const configFile = join(folder, `${name}.toml`);
    const text = configText({ roles, chains, database, signer });
    writeFileSync(configFile, text, { mode: 0o600 });
    return { name, configFile };
  });
  const configFile = files[0]?.configFile ?? '';
  apps.push(
    ...(await openShops(
      configFile,
      chains,
      receivers.map(({ url }) => url),
    )),
  );
  // The gateways of a run take these two settings from its files alone.
  const { DUCAT_MASTER_SECRET: _unused, DATABASE_URL: _alsoUnused, ...environment } = process.env;
  const roles = files.map((file) => {
    // The first role of each process, which is its name.
    const role = file.name as keyof typeof PROCESSES;
    return new RoleProcess({ ...file, role, environment, reaper, ...callbacks });
  });
  for (const role of roles) onEnd(() => role.kill());
  await Promise.all(roles.map((role) => role.start()));
  const apiUrl = roles[0]?.apiUrl ?? '';
  return { database, chains, receivers, apps, roles, signer, configFile, apiUrl };
}

/** All merchants call from one address, and the races send a thousand calls at once. */
const NO_BOUNDS = {
  requests_per_second: 100_000,
  burst: 100_000,
  requests_per_second_per_address: 100_000,
  max_connections: 4_000,
  max_connections_per_address: 4_000,
};

/** Collects at once and at almost any cost, so that there is always a collection on its way. */
const COLLECTION = { min_value: '1', max_cost_percent: 100, window_minutes: 0, daily_budget: '10000000' };

function configText({
  roles,
  chains,
  database,
  signer,
}: Pick<PayoutStage, 'chains' | 'database' | 'signer'> & { readonly roles: readonly string[] }): string {
  return stringify({
    demo: true,
    roles: [...roles],
    api: { port: 0, ...NO_BOUNDS },
    operations: { port: 0 },
    database: { url: database.url, connections: 16 },
    secrets: { master_secret_file: signer.paths.masterSecret },
    signer: signer.config,
    webhooks: { allowed_private_ranges: ['127.0.0.0/8'] },
    rates: { source: 'fixed-demo' },
    addresses: { pool_size: 100 },
    log: { level: 'info' },
    chains: Object.fromEntries(
      chains.map((chain) => [chain.name, { ...chain.config, collection: COLLECTION }]),
    ),
  });
}
