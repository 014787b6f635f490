// What the API is given by the composition root, and the limits it keeps.
import type { ChainFamily } from '@ducat/core/chain/chain';
import type { AppKeys } from '../../keys/app-keys.ts';
import type { OneTimeCodes } from '../../keys/one-time-codes.ts';
import type { AddressScheme } from '../../chains/port/address-scheme.ts';
import type { RateSource } from '../../rates/port.ts';
import type { Database, Reader, Transact } from '../../db/postgres/tx.ts';
import type { World } from '../../runtime/world.ts';
import type { Catalogue } from './catalogue.ts';
import type { DocsPlace } from './docs/docs-files.ts';
import type { NetworkFees } from './payouts/network-fees.ts';
import type { BucketSize } from '../../http/rate-limit.ts';

export interface ApiDeps {
  readonly reader: Reader;
  readonly transact: Transact;
  /** Runs the statements of orders; `reader` and `transact` do so where this is not given. */
  readonly requests?: Database['requests'];
  readonly answersCommits: Database['answersCommits'];
  readonly world: World;
  readonly catalogue: Catalogue;
  readonly rates: RateSource;
  readonly addressSchemes: Readonly<Record<ChainFamily, AddressScheme>>;
  readonly appKeys: AppKeys;
  readonly oneTimeCodes: OneTimeCodes;
  /** What transfers cost the gateway, by chain name. On a chain that is missing here, payouts are refused. */
  readonly networkFees: ReadonlyMap<string, NetworkFees>;
  readonly limits: ApiLimits;
  readonly logger: ApiLogger;
  readonly observer: ApiObserver;
  /** Where merchants reach this API, without a slash at the end; stands in the OpenAPI document. */
  readonly publicUrl: string;
  /** The built docs site, and the faucet that lends its readers the app of a demo. */
  readonly docs: Pick<DocsPlace, 'folder' | 'faucetUrl'>;
  /** Where payers reach the payment page, without a slash at the end; "" where there is none. */
  readonly checkoutUrl: string;
  /** Whether webhooks may be sent to this IP address: it is public, or the operator lists it (decision E7). */
  isCallableAddress(address: string): boolean;
  /** Called once for each broken assertion; it ends its request alone (decision 0009). */
  onBug(error: Error): void;
}

export interface ApiLimits {
  /** Requests of one app whose signature was right. */
  readonly perApp: BucketSize;
  /** Requests from one network address, counted before anything else is looked at. */
  readonly perAddress: BucketSize;
  readonly maxConnections: number;
  /** Connections from one network address. Not enforced where proxies are trusted, because the connections are theirs. */
  readonly maxConnectionsPerAddress: number;
  /** Proxies whose X-Forwarded-For is believed; none by default. */
  readonly trustedProxies: readonly string[];
}

export const defaultApiLimits: ApiLimits = {
  perApp: { perSecond: 50, burst: 200 },
  perAddress: { perSecond: 500, burst: 2_000 },
  maxConnections: 2_000,
  maxConnectionsPerAddress: 256,
  trustedProxies: [],
};

/** The part of a pino logger that the API uses. */
export interface ApiLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ApiObserver {
  /** One call per answer; `operation` is an endpoint's name or "other". */
  answered(answer: {
    readonly operation: string;
    readonly code: number;
    readonly httpStatus: number;
    readonly durationMs: number;
  }): void;
  /** Lines of the log of calls that were lost: there was no room for them, or no database. */
  lostCallLines(lines: number): void;
}
