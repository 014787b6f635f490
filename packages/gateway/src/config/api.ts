// Where the merchant API, the payment pages and the dashboard listen, and their public URLs.
import type { SignUpMode, SignUpTerms } from '@ducat/core/access/sign-up';
import { addressRanges } from './address-ranges.ts';
import { ConfigError } from './config-error.ts';
import type { ConfigFile } from './schema.ts';
import { signUpConfig } from './dashboard/sign-up.ts';
import { publicWebUrl } from './web-url.ts';

export interface ApiConfig {
  readonly host: string;
  readonly port: number;
  /** Without a slash at its end. */
  readonly publicUrl: string;
  /** Without a slash at its end. */
  readonly checkoutUrl: string;
  readonly requestsPerSecond: number;
  readonly burst: number;
  readonly requestsPerSecondPerAddress: number;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
  readonly trustedProxies: readonly string[];
}

export interface DashboardConfig {
  readonly host: string;
  readonly port: number;
  /** The origin of the dashboard, without a path: browsers send it, and every link begins with it. */
  readonly url: string;
  readonly signUp: SignUpMode;
  readonly signUpTerms: SignUpTerms;
  /** Private networks that nodes of chains added on the dashboard may be in. */
  readonly privateNodes: readonly string[];
}

/** Hosts that stand for every address of the machine, so they cannot be part of a public URL. */
const EVERYWHERE = new Set(['0.0.0.0', '::']);

export interface PagesConfig {
  readonly host: string;
  readonly port: number;
  /** The faucet of the demo or of test chains; null for none. */
  readonly faucetUrl: string | null;
  readonly maxConnections: number;
  readonly maxConnectionsPerAddress: number;
}

/** The `[pages]` section. */
export function pagesConfig({ pages = {} }: ConfigFile): PagesConfig {
  return {
    host: pages.host ?? '127.0.0.1',
    port: pages.port ?? 8081,
    faucetUrl: pages.faucet_url === undefined ? null : publicWebUrl('pages.faucet_url', pages.faucet_url),
    ...connectionLimits('pages', pages, { all: 20_000, perAddress: 512 }),
  };
}

/** Throws ConfigError where the limit for one address is more than the limit for all. */
function connectionLimits(
  section: string,
  given: { readonly max_connections?: number; readonly max_connections_per_address?: number },
  usual: { readonly all: number; readonly perAddress: number },
): { readonly maxConnections: number; readonly maxConnectionsPerAddress: number } {
  const maxConnections = given.max_connections ?? usual.all;
  const maxConnectionsPerAddress =
    given.max_connections_per_address ?? Math.min(usual.perAddress, maxConnections);
  if (maxConnectionsPerAddress > maxConnections) {
    throw new ConfigError(`${section}.max_connections_per_address: is more than max_connections`);
  }
  return { maxConnections, maxConnectionsPerAddress };
}

/** The `[api]` section. Throws ConfigError naming the entry at fault. */
export function apiConfig(file: ConfigFile): ApiConfig {
  const { api = {}, demo = false } = file;
  const host = api.host ?? '127.0.0.1';
  const port = api.port ?? 8080;
  if (api.public_url === undefined && EVERYWHERE.has(host) && !demo) {
    throw new ConfigError(`api.public_url: has to be stated, because ${host} is no address to call`);
  }
  const publicUrl = publicWebUrl('api.public_url', api.public_url ?? placeOf({ host, port }));
  // With a public URL the pages are behind the operator's proxy, under the same URL. Without one they have their own port.
  const pagesUrl = api.public_url === undefined ? placeOf(pagesConfig(file)) : publicUrl;
  return {
    host,
    port,
    publicUrl,
    checkoutUrl: publicWebUrl('api.checkout_url', api.checkout_url ?? `${pagesUrl}/pay`),
    requestsPerSecond: api.requests_per_second ?? 50,
    burst: api.burst ?? 200,
    requestsPerSecondPerAddress: api.requests_per_second_per_address ?? 500,
    ...connectionLimits('api', api, { all: 2_000, perAddress: 256 }),
    trustedProxies: addressRanges('api.trusted_proxies', api.trusted_proxies ?? [], {
      addresses: true,
      wide: demo,
    }),
  };
}

/** The `[dashboard]` section. Throws ConfigError naming the entry at fault. */
export function dashboardConfig(file: ConfigFile): DashboardConfig {
  const { dashboard = {}, demo = false } = file;
  const host = dashboard.host ?? '127.0.0.1';
  const port = dashboard.port ?? 8082;
  const url = publicWebUrl('dashboard.url', dashboard.url ?? placeOf({ host, port }));
  if (new URL(url).origin !== url)
    throw new ConfigError(
      'dashboard.url: must be an origin such as https://dashboard.example, without a path',
    );
  return {
    host,
    port,
    url,
    ...signUpConfig(file),
    privateNodes: addressRanges('dashboard.private_nodes', dashboard.private_nodes ?? [], {
      addresses: false,
      wide: demo,
    }),
  };
}

function placeOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
