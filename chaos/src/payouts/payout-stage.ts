// Everything of a run of payouts: database, chains, shops, the roles in processes of their own, and the signer in its own.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import type { Chain } from '../chains/chain.ts';
import { EvmDevChain } from '../chains/evm-chain.ts';
import { TronDevChain } from '../chains/tron-chain.ts';
import type { Chance } from '../chance.ts';
import type { App } from '../apps.ts';
import { type Receiver, startReceiver } from '../load/receiver.ts';
import { ReplicatedDatabase } from '../processes/database.ts';
import { type Reaper, startReaper } from '../processes/reaper.ts';
import { RoleProcess } from '../processes/role-process.ts';
import { evmPlans, type StageOptions } from '../stage.ts';
import { openShops } from './open-shops.ts';
import { SignerProcess } from './signer-process.ts';

/** Each line is a process. What leads merchants and webhooks is one, which is never killed. */
const PROCESSES = {
  api: ['api', 'notifier', 'maintenance'],
  watcher: ['watcher'],
  payer: ['payer'],
  collector: ['collector'],
} as const;

/** The last one of them has the races, which take its whole balance. */
const SHOPS = 3;

export interface PayoutStage {
  readonly database: ReplicatedDatabase;
  readonly chains: readonly Chain[];
  readonly receivers: readonly Receiver[];
  readonly apps: readonly App[];
  readonly roles: readonly RoleProcess[];
  readonly signer: SignerProcess;
  /** As operators' commands are given it. */
  readonly configFile: string;
  readonly apiUrl: string;
  stop(): Promise<void>;
}

/** Starts it all. Whatever happens to this process, nothing of it is left behind. */
export async function openPayoutStage(
  chance: Chance,
  options: Pick<StageOptions, 'onLog' | 'onCollapse'>,
): Promise<PayoutStage> {
  const reaper = startReaper();
  const folder = mkdtempSync(join(tmpdir(), 'ducat-chaos-'));
  // The server may run as another user, who has to pass through this folder.
  chmodSync(folder, 0o711);
  reaper.folder(folder);
  const ends: (() => Promise<void>)[] = [() => reaper.finish()];
  const stop = async () => {
    for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
  };
  try {
    return { ...(await fill(folder, reaper, chance, options, ends)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(
  folder: string,
  reaper: Reaper,
  chance: Chance,
  hearing: Pick<StageOptions, 'onLog' | 'onCollapse'>,
  ends: (() => Promise<void>)[],
): Promise<Omit<PayoutStage, 'stop'>> {
  const database = await ReplicatedDatabase.start(folder, reaper, {
    isSynchronous: true,
    onCommit: () => {},
  });
  ends.push(() => database.stop());
  const chains: Chain[] = [];
  const keep = (chain: Chain) => {
    ends.push(() => chain.stop(reaper));
    chains.push(chain);
  };
  for (const plan of evmPlans) keep(await EvmDevChain.start(plan, join(folder, plan.name), reaper));
  keep(await TronDevChain.start(reaper));
  const signer = await SignerProcess.start(folder, chains, reaper);
  ends.push(() => signer.kill());
  const apps: App[] = [];
  const receivers: Receiver[] = [];
  for (let place = 0; place < SHOPS; place += 1) {
    const keys = () => apps[place] ?? { appId: '', appKey: '' };
    const receiver = await startReceiver(keys, chance.split(`receiver ${place}`));
    ends.push(() => receiver.stop());
    receivers.push(receiver);
  }
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
  // What the run stands on is in its files alone.
  const { DUCAT_MASTER_SECRET: _unused, DATABASE_URL: _alsoUnused, ...environment } = process.env;
  const roles = files.map((file) => {
    // The first role of each process, which is its name.
    const role = file.name as keyof typeof PROCESSES;
    return new RoleProcess({ ...file, role, environment, reaper, ...hearing });
  });
  for (const role of roles) ends.push(() => role.kill());
  await Promise.all(roles.map((role) => role.start()));
  const apiUrl = roles[0]?.apiUrl ?? '';
  return { database, chains, receivers, apps, roles, signer, configFile, apiUrl };
}

/** One address stands for all merchants, a thousand calls at once with the races. */
const NO_BOUNDS = {
  requests_per_second: 100_000,
  burst: 100_000,
  requests_per_second_per_address: 100_000,
  max_connections: 4_000,
  max_connections_per_address: 4_000,
};

/** At once and almost whatever it costs, so that there is always something on its way. */
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
