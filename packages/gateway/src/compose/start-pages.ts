// Creates the payment pages from the parts and starts to listen.
import type { AddressInfo } from 'node:net';
import { pageRenderer } from '@ducat/checkout/server/page-renderer';
import { addressSchemes } from '../chains/address-schemes.ts';
import { logoSvg } from '../roles/api/logos/logo-svg.ts';
import { createPoolFiller } from '../roles/api/orders/pool-filler.ts';
import { createPages } from '../roles/pages/pages-app.ts';
import { defaultPagesLimits } from '../roles/pages/port.ts';
import { createFeeEstimate } from './fees/fee-estimate.ts';
import { catalogueOf } from './catalogue-of.ts';
import type { Parts } from './parts.ts';

export interface RunningPages {
  readonly url: string;
  /** Settles when the pages get no live updates any more, because of the signal or a bug. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

export async function startPages(parts: Parts, signal: AbortSignal): Promise<RunningPages> {
  const { config, database, world, log, metrics } = parts;
  await parts.suspensions.read();
  const { transact, reader } = database;
  const catalogue = catalogueOf(parts);
  const { app, live } = createPages({
    reader,
    transact,
    world,
    catalogue,
    rates: parts.rates.source,
    estimateFee: createFeeEstimate(config, (chain) => ({ world, observer: metrics.rpc(chain) })),
    addressSchemes,
    renderer: pageRenderer,
    logger: log,
    limits: {
      ...defaultPagesLimits,
      maxConnections: config.pages.maxConnections,
      maxConnectionsPerAddress: config.pages.maxConnectionsPerAddress,
      trustedProxies: config.api.trustedProxies,
    },
    checkoutUrl: config.api.checkoutUrl,
    demo: config.demo,
    faucetUrl: config.pages.faucetUrl,
    fillPool: createPoolFiller({ transact, addressSchemes }),
    logo: (currencyId) => {
      const listing = catalogue.find(currencyId);
      return listing === null ? null : logoSvg(listing.currency.symbol, listing.chain.name);
    },
    onBug: metrics.onBug,
  });
  try {
    await app.listen({ host: config.pages.host, port: config.pages.port });
  } catch (error) {
    await app.close();
    throw error;
  }
  // Listening on TCP gives an address with a port, never a pipe's name.
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://${config.pages.host}:${port}`, ended: live.run(signal), close: () => app.close() };
}
