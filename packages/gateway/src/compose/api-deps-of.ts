// Makes the dependencies of the API from the parts: for the API's server, and for calls that the dashboard makes.
import { addressSchemes } from '../chains/address-schemes.ts';
import { createOneTimeCodes } from '../keys/one-time-codes.ts';
import type { ApiDeps } from '../roles/api/api-deps.ts';
import { builtDocs } from '../roles/api/docs/docs-files.ts';
import { isAllowed, isGloballyRoutable, parseAllowList } from '../roles/notifier/http/routable-address.ts';
import { catalogueOf } from './catalogue-of.ts';
import { createNetworkFees } from './fees/network-fees.ts';
import type { Parts } from './parts.ts';

export function apiDepsOf(parts: Parts): ApiDeps {
  const { config, database, world, appKeys, log, metrics } = parts;
  const allowed = parseAllowList(config.webhooks.allowedPrivateRanges);
  return {
    reader: database.reader,
    transact: database.transact,
    requests: database.requests,
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
      maxConnections: config.api.maxConnections,
      maxConnectionsPerAddress: config.api.maxConnectionsPerAddress,
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
    // Only a demo has an app for the docs site. The faucet of a test network's payment pages does not count here.
    docs: { folder: builtDocs, faucetUrl: config.demo ? (config.pages.faucetUrl ?? '') : '' },
    checkoutUrl: config.api.checkoutUrl,
    isCallableAddress: (address) => isGloballyRoutable(address) || isAllowed(address, allowed),
    onBug: metrics.onBug,
  };
}
