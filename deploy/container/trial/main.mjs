// Builds the image and runs it on a local chain and a PostgreSQL of its own, until an order is paid.
//
//   node deploy/container/trial/main.mjs --base IMAGE [--flag FLAG …]    builds on IMAGE; FLAG is given to buildah
//   node deploy/container/trial/main.mjs --image IMAGE                   runs one that is built
//
// Needs root, buildah, and the built workspace.
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startEvmChain } from '@ducat/devnet/evm/evm-chain';
import { createFaucet } from '@ducat/devnet/evm/faucet';
import { testAccount } from '@ducat/devnet/evm/test-accounts';
import { freePort } from '@ducat/devnet/net/free-port';
import { startTestPostgres } from '@ducat/devnet/postgres/test-database';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { Ducat } from '@ducat/sdk';
import { buildah, Container } from './container.mjs';

const GATEWAY = '10001:10010';
const SIGNER = '10002:10010';
const CHAIN_ID = 31_337;
const COIN = 1000;
const WITHIN = { timeoutMs: 180_000, everyMs: 50 };
const root = fileURLToPath(new URL('../../..', import.meta.url));

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    image: { type: 'string' },
    flag: { type: 'string', multiple: true, default: [] },
  },
});
const startMs = performance.now();
const image = values.image ?? build();
const work = mkdtempSync(join(tmpdir(), 'ducat-image-'));
chmodSync(work, 0o755);
const closing = [() => rmSync(work, { recursive: true })];
try {
  await tryOut();
} catch (error) {
  for (const name of ['signer', 'gateway']) say(lastLines(join(work, `${name}.log`)));
  throw error;
} finally {
  for (const close of closing.toReversed()) await close();
}

function build() {
  const from = values.base === undefined ? [] : ['--build-arg', `BASE=${values.base}`];
  // Without this format the health check is left out.
  const flags = ['--isolation=chroot', '--format=docker', ...from, ...values.flag];
  buildah('bud', ...flags, '-f', join(root, 'deploy/container/Dockerfile'), '-t', 'ducat-trial', root);
  say(`built in ${seconds(startMs)}`);
  return 'localhost/ducat-trial';
}

async function tryOut() {
  const [{ size }] = JSON.parse(buildah('images', '--json', image));
  say(`${image} has ${size}`);
  const postgres = await startTestPostgres();
  closing.push(() => postgres.stop());
  const chain = await startEvmChain({ chainId: CHAIN_ID, mining: { blockTimeMs: 500 } });
  closing.push(() => chain.stop());
  const [commands, services] = [new Container(image), new Container(image)];
  closing.push(
    () => commands.remove(),
    () => services.remove(),
  );
  services.makeReadOnly(['etc/ducat', 'var/lib/ducat-signer', 'run/secrets']);

  const volumes = {
    '/etc/ducat:ro': folder('config', 10_001, 0o755),
    '/run/ducat-signer': folder('socket', 10_002, 0o710),
  };
  const signerVolumes = {
    ...volumes,
    '/run/secrets:ro': folder('secrets', 10_002, 0o700),
    '/var/lib/ducat-signer': folder('signer', 10_002, 0o700),
  };
  file('secrets/passphrase', randomBytes(24).toString('base64url'), 10_002);
  const keystore = ['--keystore', '/var/lib/ducat-signer/keystore.json'];
  const secret = ['--passphrase-file', '/run/secrets/passphrase'];
  const made = commands.call(['ducat-signer', 'create', ...keystore, ...secret], {
    user: SIGNER,
    volumes: signerVolumes,
  });
  const [keyId = ''] = /\b[0-9a-f]{16}\b/.exec(made) ?? [];
  const ports = { api: await freePort(), pages: await freePort(), dashboard: await freePort() };
  const operations = await freePort();
  writeConfig({
    ports: { ...ports, operations },
    keyId,
    databaseUrl: postgres.adminUrl,
    rpcUrl: chain.rpcUrl,
  });

  const signer = services.start(['node', ...signerCommand(), ...keystore, ...secret], {
    user: SIGNER,
    volumes: signerVolumes,
    logFile: join(work, 'signer.log'),
  });
  closing.push(() => signer.stop());
  await waitUntil('the signer to listen', () => running(signer).words().includes('"ready"'), WITHIN);

  const { Entrypoint, Cmd, Healthcheck } = services.config;
  const gatewayStartMs = performance.now();
  const gateway = services.start([...Entrypoint, ...Cmd], {
    user: GATEWAY,
    volumes,
    logFile: join(work, 'gateway.log'),
  });
  closing.push(() => gateway.stop());
  await waitUntil('the gateway to be ready', () => running(gateway).words().includes('"ready"'), WITHIN);
  say(`ready ${seconds(gatewayStartMs)} after its start, on an empty database`);
  const [, ...healthCheck] = Healthcheck.Test;
  commands.call(healthCheck, {
    user: GATEWAY,
    environment: { DUCAT_HEALTH_URL: `http://127.0.0.1:${operations}/healthz` },
  });
  say('its health check says yes');

  const asOperator = (...command) =>
    JSON.parse(
      commands.call(['ducat', ...command, '--json', '--config', '/etc/ducat/ducat.toml'], {
        user: GATEWAY,
        volumes,
      }),
    );
  const { merchant_id } = asOperator('merchant', 'create', '--name', 'Shop');
  const app = asOperator('app', 'create', '--merchant', merchant_id, '--name', 'Web shop');
  await payOrder({ baseUrl: `http://127.0.0.1:${ports.api}`, appId: app.app_id, appKey: app.app_key }, chain);
  await showPages(ports);
  say(`the gateway takes ${memory(gateway)}, the signer ${memory(signer)}`);
  const stopMs = performance.now();
  await gateway.stop();
  if (!gateway.words().includes('"stopped"')) throw new Error('the gateway did not stop cleanly');
  say(`stopped in ${seconds(stopMs)}; all in all ${seconds(startMs)}`);
}

/** The arguments of compose.yaml; a socket of its own folder. */
function signerCommand() {
  const compose = readFileSync(new URL('../compose.yaml', import.meta.url), 'utf8');
  const [, list = ''] = /command:\n((?: +- .+\n)+)/.exec(compose) ?? [];
  const all = [...list.matchAll(/- (.+)/g)].map(([, argument]) => argument);
  return all.filter((argument) => !/^--(?:keystore|passphrase-file)/.test(argument));
}

async function payOrder(access, chain) {
  const ducat = new Ducat(access);
  await waitUntil(
    'the coin to be offered',
    async () => (await ducat.currencies.listForApp()).some(({ currency_id }) => currency_id === COIN),
    WITHIN,
  );
  const order = await ducat.orders.create({
    out_trade_no: 'trial-1',
    currency_id: COIN,
    token_amount: '0.5',
  });
  const paidMs = performance.now();
  const { privateKey } = testAccount(0);
  const payer = createFaucet({ rpcUrl: chain.rpcUrl, chainId: CHAIN_ID, privateKey });
  await payer.sendNative(order.pay_address, 5n * 10n ** 17n);
  const isPaid = async () => (await ducat.orders.detail(order.trade_no)).status === 'PAID';
  await waitUntil('the order to be paid', isPaid, WITHIN);
  say(`order ${order.trade_no} is PAID, ${seconds(paidMs)} after it was paid`);
}

async function showPages({ api, pages, dashboard }) {
  for (const [what, url] of [
    ['payment pages', `http://127.0.0.1:${pages}/pay/unknown`],
    ['dashboard', `http://127.0.0.1:${dashboard}/`],
    ['docs', `http://127.0.0.1:${api}/docs/`],
  ]) {
    const answer = await fetch(url);
    const text = await answer.text();
    if (!/<html/.test(text)) throw new Error(`the ${what} gave ${answer.status}: ${text.slice(0, 200)}`);
    say(`the ${what} answer with HTTP ${answer.status} and ${text.length} characters`);
  }
}

function writeConfig({ ports, keyId, databaseUrl, rpcUrl }) {
  const token = randomBytes(32).toString('base64');
  const tokenSha256 = createHash('sha256').update(token).digest('hex');
  const clients = { clients: [{ name: 'gateway', tokenSha256, methods: ['account-public-key'] }] };
  file('config/signer-token', token, 10_001);
  file('config/signer-clients.json', JSON.stringify(clients), 10_001, 0o644);
  file('config/master-secret', randomBytes(32).toString('hex'), 10_001);
  const host = 'host = "127.0.0.1"';
  const text = `roles = ["api", "pages", "dashboard", "watcher", "notifier", "maintenance"]
[api]
${host}
port = ${ports.api}
[pages]
${host}
port = ${ports.pages}
[dashboard]
${host}
port = ${ports.dashboard}
[operations]
${host}
port = ${ports.operations}
[database]
url = "${databaseUrl}"
[secrets]
master_secret_file = "master-secret"
[signer]
socket = "/run/ducat-signer/signer.sock"
client = "gateway"
token_file = "signer-token"
uid = 10002
key_id = "${keyId}"
[rates]
source = "none"
[chains.ETH]
rpc_urls = ["${rpcUrl}"]
chain_id = ${CHAIN_ID}
confirmations = 3
block_time_ms = 500
known_tokens = "listed"
`;
  file('config/ducat.toml', text, 10_001);
}

function folder(name, owner, mode) {
  const path = join(work, name);
  mkdirSync(path, { recursive: true });
  chownSync(path, owner, 10_010);
  chmodSync(path, mode);
  return path;
}

function file(name, text, owner, mode = 0o600) {
  const path = join(work, name);
  writeFileSync(path, text, { mode });
  chownSync(path, owner, 10_010);
}

function running(program) {
  if (program.hasEnded()) throw new Error(`it ended at once: ${program.words().slice(-2_000)}`);
  return program;
}

function memory(program) {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${program.pid()}/status`, 'utf8')) ?? [];
  return `${Math.round(Number(kilobytes) / 1024)} MB`;
}

function lastLines(path) {
  try {
    return `${path}:\n${readFileSync(path, 'utf8').slice(-4_000)}`;
  } catch {
    return `${path} is not there`;
  }
}

function seconds(sinceMs) {
  return `${((performance.now() - sinceMs) / 1000).toFixed(1)} s`;
}

function say(line) {
  process.stdout.write(`${line}\n`);
}
