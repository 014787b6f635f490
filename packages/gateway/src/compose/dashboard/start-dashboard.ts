// Creates the dashboard from the parts and starts to listen.
import type { AddressInfo } from 'node:net';
import { ConfigError } from '../../config/config-error.ts';
import { shownConfiguration } from './shown-configuration.ts';
import { configWarnings } from '../../config/warnings.ts';
import { raiseWalls } from '../../db/tables/access/walls.ts';
import { createPasskeys } from '../../keys/passkeys.ts';
import { createPasswords } from '../../keys/passwords.ts';
import { openMailFolder } from '../../mail/mail-folder.ts';
import { createDashboard } from '../../roles/dashboard/dashboard-app.ts';
import { type DashboardDeps, defaultDashboardLimits } from '../../roles/dashboard/port.ts';
import { keepIncidents } from '../../roles/dashboard/operator/incident-history.ts';
import { builtFiles } from '../../roles/dashboard/static-files.ts';
import { connectSigner } from '../../keys/signer/socket.ts';
import { Outage } from '../../runtime/outage.ts';
import { apiDepsOf } from '../api-deps-of.ts';
import type { Parts } from '../parts.ts';
import { guardedPost } from '../additions/guarded-post.ts';
import { createChainAdditions } from './chain-additions.ts';
import { createMerchantApi } from './merchant-api.ts';
import { createSenderNonces } from './sender-nonces.ts';
import { createStakeLooks } from './stake-looks.ts';
import { showSetupLink } from './show-setup-link.ts';

export interface RunningDashboard {
  readonly url: string;
  close(): Promise<void>;
}

/** Throws ConfigError where row-level security between merchants is missing and our database role may not add it. */
export async function startDashboard(parts: Parts): Promise<RunningDashboard> {
  const { config, database, world, log } = parts;
  const { transact } = database;
  const trouble = await raiseWalls(transact);
  if (trouble !== null) throw new ConfigError(`dashboard: ${trouble}`);
  const setup = { transact, world, url: config.dashboard.url, isDemo: config.demo };
  await showSetupLink(setup, log, config.logLevel);
  await parts.suspensions.read();
  const deps = dashboardDepsOf(parts);
  const app = createDashboard(deps);
  try {
    await app.listen({ host: config.dashboard.host, port: config.dashboard.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = app.server.address() as AddressInfo;
  const stopping = new AbortController();
  const kept = keepIncidents(deps, stopping.signal);
  return {
    url: `http://${config.dashboard.host}:${port}`,
    close: async () => {
      stopping.abort();
      await Promise.all([app.close(), kept]);
    },
  };
}

function dashboardDepsOf(parts: Parts): DashboardDeps {
  const { config, database, world, log, metrics } = parts;
  const { transact, reader } = database;
  const api = apiDepsOf(parts);
  return {
    reader,
    transact,
    world,
    logger: log,
    passwords: createPasswords(world),
    oneTimeCodes: api.oneTimeCodes,
    passkeys: createPasskeys(config.dashboard.url),
    catalogue: api.catalogue,
    rates: api.rates,
    addressSchemes: api.addressSchemes,
    appKeys: api.appKeys,
    approvers: config.approvers,
    isCallableAddress: (address) => api.isCallableAddress(address),
    publicUrl: api.publicUrl,
    checkoutUrl: api.checkoutUrl,
    events: { encode: parts.encode, newEventId: parts.newEventId },
    merchantApi: createMerchantApi(api),
    accountPublicKey: accountKeysOf(parts),
    additions: createChainAdditions({
      config,
      ofFile: parts.ofFile,
      reader,
      world,
      http: guardedPost(world, config.dashboard.privateNodes),
    }),
    lookAtStake: createStakeLooks({ chains: config.chains, reader, world }),
    askNonce: createSenderNonces({ chains: config.chains, reader, world }),
    limits: { ...defaultDashboardLimits, trustedProxies: config.api.trustedProxies },
    url: config.dashboard.url,
    signUp: config.dashboard.signUp,
    signUpTerms: config.dashboard.signUpTerms,
    backupLimits: config.backups,
    mails: config.mail === null ? null : parts.mailSealing,
    caughtMails: config.mail?.way === 'folder' ? openMailFolder(config.mail.folder) : null,
    demo: config.demo,
    faucetUrl: api.docs.faucetUrl,
    configuration: { sections: shownConfiguration(config), warnings: configWarnings(config) },
    filesFolder: builtFiles,
    onBug: metrics.onBug,
  };
}

const SIGNER_TIMEOUT_MS = 10_000;

/** Only new apps need the signer. Without one the rest of the dashboard works. */
function accountKeysOf({ config: { signer } }: Parts): DashboardDeps['accountPublicKey'] {
  if (signer === null)
    return () => Promise.reject(new Outage('no [signer] is configured', { retryable: false }));
  const port = connectSigner({ socketPath: signer.socket, ...signer, timeoutMs: SIGNER_TIMEOUT_MS });
  return (family, account) => port.accountPublicKey(family, account);
}
