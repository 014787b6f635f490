// Joins the API to its neighbours and has it listen.
import type { AddressInfo } from 'node:net';
import { addressSchemes } from '../chains/address-schemes.ts';
import { defaultApiLimits } from '../roles/api/api-deps.ts';
import { createOneTimeCodes } from '../keys/one-time-codes.ts';
import { createApiApp } from '../roles/api/app.ts';
import { isAllowed, isGloballyRoutable, parseAllowList } from '../roles/notifier/http/routable-address.ts';
import { catalogueOf } from './catalogue-of.ts';
import { createNetworkFees } from './fees/network-fees.ts';
import type { Parts } from './parts.ts';

export interface RunningApi {
  readonly url: string;
  close(): Promise<void>;
}

export async function startApi(parts: Parts): Promise<RunningApi> {
  const { config, database, world, appKeys, log, metrics } = parts;
  await parts.suspensions.read();
  const allowed = parseAllowList(config.webhooks.allowedPrivateRanges);
  const app = createApiApp({
    reader: database.reader,
    transact: database.transact,
    answersCommits: database.answersCommits,
    world,
    catalogue: catalogueOf(parts),
    rates: parts.rates.source,
    addressSchemes,
    appKeys,
    oneTimeCodes: createOneTimeCodes({ masterSecret: config.masterSecret, world }),
    networkFees: createNetworkFees(config, database.reader, (chain) => ({
      world,
      observer: metrics.rpc(chain),
    })),
    limits: {
      ...defaultApiLimits,
      perApp: { perSecond: config.api.requestsPerSecond, burst: config.api.burst },
      perAddress: {
        perSecond: config.api.requestsPerSecondPerAddress,
        burst: 4 * config.api.requestsPerSecondPerAddress,
      },
      trustedProxies: config.api.trustedProxies,
    },
    logger: log,
    observer: metrics.api,
    publicUrl: config.api.publicUrl,
    checkoutUrl: config.api.checkoutUrl,
    isCallableAddress: (address) => isGloballyRoutable(address) || isAllowed(address, allowed),
    onBug: metrics.onBug,
  });
  try {
    await app.listen({ host: config.api.host, port: config.api.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${config.api.host}:${port}`, close: () => app.close() };
}
