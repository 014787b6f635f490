// The parts of the demo: database and chains, then signer and shop, and the gateway beside them.
import { type LocalChains, startLocalChains } from '@ducat/devnet/local/local-chains';
import { type RunningPostgres, startPostgres } from '@ducat/devnet/postgres/postgres';
import { isAlive } from '@ducat/devnet/process/running-process';
import { migrate } from '@ducat/gateway/db/postgres/migrations/migrate';
import { withSetup } from '../setup.ts';
import { type DemoChain, type DemoRecord, forgetDemo, writeDemoRecord } from '../state/demo-record.ts';
import { choosePorts, type Ports } from '../state/ports.ts';
import { writePrivateFile } from '../state/private-file.ts';
import type { ProcessRecord } from '../state/process-record.ts';
import type { StatePaths } from '../state/state-paths.ts';
import { configText } from './config-text.ts';
import { demoChainOf } from './demo-chains.ts';
import { openDemoOrder } from './demo-order.ts';
import { APPROVER_EMAIL, DEMO_EMAIL, ensureDemoPeople } from './people/demo-people.ts';
import { demoSetupLink, refuseAccounts } from './people/setup-link.ts';
import { demoTokens } from './demo-tokens.ts';
import { type DemoShop, ensureDemoShop, hasDemoShop } from './demo-shop.ts';
import { openFaucet } from '../faucet/faucet-server.ts';
import { keepWalletsFunded } from '../faucet/keep-wallets-funded.ts';
import type { Child } from './child.ts';
import { startGateway } from './gateway/gateway-process.ts';
import type { DemoSecrets } from './secrets.ts';
import type { RunningDemo, StartDemo } from './start-demo.ts';
import { startSigner } from './signer-process.ts';

export interface OpenDemo extends StartDemo {
  readonly secrets: DemoSecrets;
  readonly record: ProcessRecord;
  /** The gateway's process, which loads its modules. */
  readonly loaded: Child;
}

/** Opens every part. `parts` always holds the running ones. */
export async function openDemo(start: OpenDemo): Promise<RunningDemo> {
  const { paths, parts, progress, record } = start;
  const { signerToken, dashboardPassword } = start.secrets;
  const { ports, moved } = await choosePorts(paths.ports, start.ports);
  if (moved.length > 0)
    progress.note(`new ports for ${moved.join(', ')}: the old ones are taken by other programs`);
  const opening = openChains(start, ports);
  const signing = opening.then(({ chains }) => openSigner(start, { token: signerToken, chains, record }));
  // Its error is thrown where the shop waits for it.
  signing.catch(() => undefined);
  const [database, { chains, rollBack }] = await sideBySide(openPostgres(start), opening);
  writePrivateFile(paths.config, configText({ paths, ports, databaseUrl: database.url, chains }));
  const hasShop = await prepareBooks(start);
  const openingShop = signing.then(async () => {
    const shop = await progress.step(
      'demo merchant and app',
      () => openShop(start, ports, dashboardPassword),
      ({ appId }) => appId,
    );
    await fundWallets(start, chains);
    return shop;
  });
  // A gateway that finds no people opens a link for the first person.
  if (!hasShop) await openingShop;
  const [shop, gateway] = await sideBySide(openingShop, openGateway(start, ports));
  const signer = await signing;
  const setupLink = start.isSetUp ? await demoSetupLink(paths.config) : null;
  const apiUrl = `http://127.0.0.1:${ports.api}`;
  const faucet = await openFaucet({
    port: ports.faucet,
    chains,
    rollBack,
    pagesOrigin: `http://127.0.0.1:${ports.pages}`,
    dashboardOrigin: `http://127.0.0.1:${ports.dashboard}`,
    docsOrigin: apiUrl,
    access: { PAYMENT: shop, QR_CODE: shop.qr },
    openOrder: (request) => openDemoOrder(apiUrl, shop, request),
  });
  parts.add('the faucet', () => faucet.close());
  const checkoutUrl = await progress.step('an order to pay', () => openDemoOrder(apiUrl, shop));
  const demo = recordOf(paths, ports, { shop, checkoutUrl }, chains);
  writeDemoRecord(paths, demo);
  parts.add('the record of the demo', async () => forgetDemo(paths));
  const broken = Promise.race([
    gateway.gaveUp.then((reason) => `The gateway ended too often: ${reason}`),
    signer.ended.then((reason) => `The signer ended (${reason}). Its log: ${paths.logs}`),
    ...(database.server === undefined ? [] : [whenGone(database.server.pid, paths)]),
  ]);
  return { record: demo, setupLink, broken };
}

/** Both results. Where one fails, the other is awaited too: a part has to be known before everything is undone. */
async function sideBySide<One, Other>(one: Promise<One>, other: Promise<Other>): Promise<[One, Other]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

interface OpenDatabase {
  readonly url: string;
  readonly server: RunningPostgres | undefined;
}

async function openPostgres(start: StartDemo): Promise<OpenDatabase> {
  const { paths, databaseUrl, postgresPort: port, parts, progress } = start;
  if (databaseUrl !== undefined) {
    progress.note('DATABASE_URL is set: your PostgreSQL is used, none is started');
    return { url: databaseUrl, server: undefined };
  }
  const launch = () => startPostgres({ dataDir: paths.postgres, ...(port === undefined ? {} : { port }) });
  const server = await progress.step('PostgreSQL', launch, (running) => `127.0.0.1:${running.port}`);
  parts.add('PostgreSQL', () => server.stop());
  return { url: server.url, server };
}

async function openChains(
  { paths, parts, progress }: StartDemo,
  ports: Ports,
): Promise<{ readonly chains: readonly DemoChain[] } & Pick<LocalChains, 'rollBack'>> {
  const { ETH, BSC, WKC, Tron } = ports;
  const start = () =>
    startLocalChains({ folder: paths.chains, ports: { ETH, BSC, WKC, Tron }, tokens: demoTokens });
  const running = await progress.step('chains', start, ({ chains }) =>
    chains.map(({ name }) => name).join(', '),
  );
  parts.add('chains', () => running.stop());
  return { chains: running.chains.map(demoChainOf), rollBack: running.rollBack };
}

async function openSigner(
  { paths, parts, progress }: StartDemo,
  options: Parameters<typeof startSigner>[1],
): ReturnType<typeof startSigner> {
  const starting = progress.step('signer', () => startSigner(paths, options));
  // Added before the gateway, however long it takes: parts end in the reverse order, and the gateway asks the signer.
  parts.add('signer', async () => {
    const signer = await starting.catch(() => null);
    return signer === null ? false : signer.stop();
  });
  return starting;
}

interface OpenShop extends DemoShop {
  /** Whether the demo has made its own people. */
  readonly hasLogin: boolean;
}

/** Migrates the database to the newest schema, before anything else reads from it. Returns whether the demo shop is there. */
async function prepareBooks({ paths, isSetUp }: StartDemo): Promise<boolean> {
  return withSetup(paths.config, {}, async (setup) => {
    await migrate(setup.database, setup.world.nowMs());
    if (isSetUp) await refuseAccounts(setup);
    return hasDemoShop(setup);
  });
}

/** Opens the demo shop and, unless a person sets the dashboard up, the demo's people. */
async function openShop({ paths, isSetUp }: StartDemo, ports: Ports, password: string): Promise<OpenShop> {
  const callbackUrl = `http://127.0.0.1:${ports.listener}/webhook`;
  // The configuration that was just written decides alone, whatever the shell's environment has.
  const shop = await withSetup(paths.config, {}, async (setup) => {
    const opened = await ensureDemoShop(setup, callbackUrl);
    const hasLogin = !isSetUp && (await ensureDemoPeople(setup, opened.merchantId, password));
    return { ...opened, hasLogin };
  });
  writePrivateFile(paths.appKey, `${shop.appKey}\n`);
  writePrivateFile(paths.qrAppKey, `${shop.qr.appKey}\n`);
  return shop;
}

async function openGateway(
  { paths, loaded, record, parts, progress }: OpenDemo,
  ports: Ports,
): Promise<{ readonly gaveUp: Promise<string> }> {
  const report = (line: string) => progress.note(line);
  const gateway = await progress.step('gateway', () =>
    startGateway({ paths, ports, record, loaded, report }),
  );
  parts.add('gateway', () => gateway.stop());
  return gateway;
}

async function fundWallets(
  { paths, parts, progress }: OpenDemo,
  chains: readonly DemoChain[],
): Promise<void> {
  const wallets = await progress.step('coin for the wallets', () => keepWalletsFunded(paths, chains));
  parts.add('funding of wallets', () => wallets.stop());
}

interface Opened {
  readonly shop: OpenShop;
  readonly checkoutUrl: string;
}

function recordOf(
  paths: StatePaths,
  ports: Ports,
  { shop, checkoutUrl }: Opened,
  chains: readonly DemoChain[],
): DemoRecord {
  const base = `http://127.0.0.1:${ports.api}`;
  return {
    state_folder: paths.folder,
    config_file: paths.config,
    base_url: base,
    docs_url: `${base}/docs`,
    checkout_url: checkoutUrl,
    openapi_url: `${base}/openapi.json`,
    dashboard_url: `http://127.0.0.1:${ports.dashboard}`,
    dashboard_email: shop.hasLogin ? DEMO_EMAIL : '',
    approver_email: shop.hasLogin ? APPROVER_EMAIL : '',
    approver_key_file: paths.approverKey,
    dashboard_password_file: paths.dashboardPassword,
    mail_folder: paths.mails,
    mails_url: `http://127.0.0.1:${ports.dashboard}/mails`,
    operations_url: `http://127.0.0.1:${ports.operations}`,
    merchant_id: shop.merchantId,
    app_id: shop.appId,
    app_key_file: paths.appKey,
    qr_app_id: shop.qr.appId,
    qr_app_key_file: paths.qrAppKey,
    listener_url: shop.callbackUrl,
    faucet_url: `http://127.0.0.1:${ports.faucet}/`,
    chains,
  };
}

const LOOK_EVERY_MS = 1_000;

/** Polls the process id, because the database server is not always our direct child. */
function whenGone(pid: number, paths: StatePaths): Promise<string> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isAlive(pid)) return;
      clearInterval(timer);
      resolve(`PostgreSQL ended. Its log: ${paths.postgres}.log`);
    }, LOOK_EVERY_MS);
    // The polling must not keep the process alive.
    timer.unref();
  });
}
