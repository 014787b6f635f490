// What every role is built from, made once for the process.
import { availableParallelism, hostname } from 'node:os';
import { fiatNames } from '@ducat/contract/fields/fiat-names';
import { rateAssetOf } from '@ducat/core/chain/currency';
import type { EncodePaymentEvent, EncodeTransferEvent } from '@ducat/core/webhook/event';
import type { EncodeQrPaymentEvent } from '@ducat/core/webhook/qr-payment-event';
import type { ChainReader } from '../chains/port/reader.ts';
import type { Config } from '../config/load-config.ts';
import { type Database, openDatabase } from '../db/postgres/tx.ts';
import { type AppKeys, createAppKeys } from '../keys/app-keys.ts';
import { createMailSealing, type MailSealing } from '../keys/mail-sealing.ts';
import { openRates, type Rates } from '../rates/open-rates.ts';
import { createLeaseStore, type LeaseStore } from '../runtime/lease-store.ts';
import { createIdleChains, type IdleChains } from '../runtime/idle-chains.ts';
import type { Log } from '../runtime/log.ts';
import { createMetrics, type Metrics } from '../runtime/metrics/metrics.ts';
import { realWorld, type World } from '../runtime/world.ts';
import { createRequestTally, type RequestTally } from '../runtime/metrics/request-tally.ts';
import { openChain } from './open-chain.ts';
import { createCurrencyCheck, type CurrencyCheck } from './currency-check.ts';
import { createEventWriting } from './event-writing.ts';
import { createSuspensions, type Suspensions } from './suspensions.ts';

export interface Parts {
  readonly config: Config;
  /** The configuration of the file alone, without what was added on the dashboard. */
  readonly ofFile: Config;
  readonly log: Log;
  readonly world: World;
  readonly idle: IdleChains;
  readonly database: Database;
  /** On connections of their own: a lease must not be lost because all others are busy. */
  readonly leases: LeaseStore;
  readonly metrics: Metrics;
  readonly chains: readonly ChainReader[];
  /** Counts of the requests to the providers of each chain. */
  readonly tallies: ReadonlyMap<string, RequestTally>;
  readonly currencies: CurrencyCheck;
  readonly suspensions: Suspensions;
  readonly rates: Rates;
  readonly appKeys: AppKeys;
  readonly mailSealing: MailSealing;
  readonly encode: EncodePaymentEvent;
  readonly encodeTransfer: EncodeTransferEvent;
  readonly encodeQrPayment: EncodeQrPaymentEvent;
  readonly newEventId: () => string;
  /** The name of this process as holder of leases: host name and random digits, because a machine may run several. */
  readonly holder: string;
}

export function createParts(config: Config, ofFile: Config, log: Log): Parts {
  const world = realWorld;
  const metrics = createMetrics();
  const database = openDatabase(
    config.database.url,
    config.database.connections,
    ({ level, fields, message }) => log[level](fields, message),
    {
      sleep: (ms, signal) => world.sleep(ms, signal),
      promotesOnlySynced: config.database.promotesOnlySynced,
    },
  );
  const tallies = new Map<string, RequestTally>();
  const chains = config.chains.map((chain) => {
    const { name } = chain.definition;
    const observer = createRequestTally(metrics.rpc(name));
    tallies.set(name, observer);
    const onBroken = (error: unknown) =>
      log.error({ chain: name, error }, 'the second thread of a chain broke; the first reads all blocks now');
    return openChain(chain, {
      world,
      observer,
      ...(availableParallelism() > 1 ? { secondThread: { onBroken } } : {}),
    });
  });
  metrics.watchGaps(chains);
  const { reader } = database;
  const definitions = chains.map(({ definition }) => definition);
  const idle = createIdleChains({ reader, world, log }, definitions);
  return {
    config,
    ofFile,
    log,
    world,
    idle,
    database,
    leases: createLeaseStore(database.apart),
    metrics,
    chains,
    tallies,
    currencies: createCurrencyCheck(chains, world, log),
    suspensions: createSuspensions(reader, world, log, idle),
    rates: openRates(config.rates, {
      coins: chains.flatMap(({ definition }) =>
        definition.currencies
          .filter(({ enabled }) => enabled)
          .flatMap((currency) => rateAssetOf(currency) ?? []),
      ),
      fiats: fiatNames,
      world,
      log,
      observer: metrics.rates,
    }),
    appKeys: createAppKeys({ masterSecret: config.masterSecret, reader, world }),
    mailSealing: createMailSealing({ masterSecret: config.masterSecret, world }),
    ...createEventWriting(config, world),
    holder: `${hostname()}/${Buffer.from(world.random(4)).toString('hex')}`,
  };
}
