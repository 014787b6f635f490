// The configuration in force, for operators to read. Each shown value is listed here, so that no secret is shown.
import { formatAmount, formatDecimal } from '@ducat/core/money/decimal';
import { nativeCurrency } from '@ducat/core/chain/chain';
import { VALUE_DECIMALS } from '@ducat/core/collection/policy';
import type { ConfiguredChain } from '../../config/chains.ts';
import type { Config } from '../../config/load-config.ts';

export interface ShownSection {
  readonly section: string;
  readonly entries: readonly { readonly entry: string; readonly value: string }[];
}

type Value = string | number | boolean | null | undefined | readonly string[];

/** Entries that are not stated and have no default are left out. */
function sectionOf(section: string, values: Readonly<Record<string, Value>>): ShownSection {
  return {
    section,
    entries: Object.entries(values).flatMap(([entry, value]) =>
      value === null || value === undefined
        ? []
        : [{ entry, value: typeof value === 'object' ? value.join(', ') : String(value) }],
    ),
  };
}

export function shownConfiguration(config: Config): readonly ShownSection[] {
  const { api, pages, dashboard, operations, checks, backups, webhooks, retention } = config;
  return [
    sectionOf('general', { demo: config.demo, roles: config.roles, log_level: config.logLevel }),
    sectionOf('api', {
      listens: placeOf(api),
      public_url: api.publicUrl,
      checkout_url: api.checkoutUrl,
      requests_per_second: api.requestsPerSecond,
      burst: api.burst,
      requests_per_second_per_address: api.requestsPerSecondPerAddress,
      max_connections: api.maxConnections,
      max_connections_per_address: api.maxConnectionsPerAddress,
      trusted_proxies: api.trustedProxies,
    }),
    sectionOf('pages', { listens: placeOf(pages), max_connections: pages.maxConnections }),
    sectionOf('dashboard', {
      listens: placeOf(dashboard),
      url: dashboard.url,
      sign_up: dashboard.signUp,
      private_nodes: dashboard.privateNodes,
    }),
    ...(dashboard.signUp === 'open' ? [signUpSection(dashboard)] : []),
    sectionOf('operations', { listens: placeOf(operations) }),
    sectionOf('database', {
      place: databasePlace(config.database.url),
      connections: config.database.connections,
      promotes_only_synced: config.database.promotesOnlySynced,
    }),
    sectionOf('signer', signerValues(config)),
    sectionOf('mail', mailValues(config)),
    sectionOf('addresses', { pool_size: config.addressPoolSize }),
    sectionOf('checks', {
      round_hours: checks.roundMs / 3_600_000,
      calls_per_minute: checks.callsPerMinute,
    }),
    sectionOf('backups', {
      max_age_hours: backups.backupMs / 3_600_000,
      restore_max_age_days: backups.restoreMs / 86_400_000,
      archive_max_age_minutes: backups.archiveMs / 60_000,
    }),
    sectionOf('webhooks', {
      allowed_private_ranges: webhooks.allowedPrivateRanges,
      concurrency: webhooks.concurrency,
      concurrency_per_receiver: webhooks.concurrencyPerReceiver,
    }),
    sectionOf('retention', {
      deliveries_after_days: retention.deliveriesAfterDays ?? 'never',
      quote_evidence_after_days: retention.quoteEvidenceAfterDays ?? 'never',
      api_calls_after_days: retention.apiCallsAfterDays ?? 'never',
    }),
    sectionOf('rates', rateValues(config)),
    ...config.chains.map(chainSection),
    ...config.chainsOff.map(({ name }) => sectionOf(`chains.${name}`, { enabled: false })),
  ];
}

function signUpSection({
  signUpTerms: { mostADay, isSuspended, limits },
}: Config['dashboard']): ShownSection {
  const usd = (value: bigint | null) => (value === null ? null : formatDecimal(value, VALUE_DECIMALS));
  return sectionOf('dashboard.sign_ups', {
    suspended: isSuspended,
    per_day: mostADay,
    payout_max_usd: usd(limits.payoutMaxValue),
    payout_max_day_usd: usd(limits.payoutMaxDayValue),
    max_open_orders: limits.maxOpenOrders,
  });
}

function placeOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `${host}:${port}`;
}

/** Servers and database, without user, password and parameters. */
function databasePlace(url: string): string {
  return url.replace(/^[^:]+:\/\/(?:.*@)?/, '').replace(/\?.*$/, '');
}

function signerValues({ signer }: Config): Readonly<Record<string, Value>> {
  if (signer === null) return { socket: 'none' };
  const { socket, client, uid, keyId } = signer;
  return { socket: typeof socket === 'string' ? socket : placeOf(socket), client, uid, key_id: keyId };
}

function mailValues({ mail }: Config): Readonly<Record<string, Value>> {
  if (mail === null) return { way: 'none' };
  if (mail.way === 'folder') return { folder: mail.folder };
  const { tls, login, sender } = mail;
  return { server: placeOf(mail), tls, user: login?.user, sender };
}

function rateValues({ rates }: Config): Readonly<Record<string, Value>> {
  const { source, maxAgeSeconds } = rates;
  if (rates.source !== 'market') return { source, max_age_seconds: maxAgeSeconds };
  return {
    source,
    max_age_seconds: maxAgeSeconds,
    max_fiat_age_hours: rates.maxFiatAgeHours,
    min_sources: rates.minSources,
    single_source: rates.singleSource,
    max_spread_basis_points: rates.maxSpreadBasisPoints,
    sources: rates.sources.map(({ name, url }) => (url === null ? name : `${name} at ${hostOf(url)}`)),
  };
}

/** Only the host is shown, because paths and parameters of provider addresses may hold keys. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address';
}

function chainSection(chain: ConfiguredChain): ShownSection {
  const { definition, nodes, startBlock, reuseAddressesAfterDays, collection } = chain;
  const coin = nativeCurrency(definition);
  return sectionOf(`chains.${definition.name}`, {
    network: definition.network,
    chain_id: definition.chainId,
    providers: nodes.rpcUrls.map(hostOf),
    solidity_providers: nodes.solidityUrls.map(hostOf),
    quorum: nodes.quorum,
    requests_per_second: nodes.requestsPerSecond,
    confirmations: definition.confirmations,
    window_blocks: definition.windowBlocks,
    block_time_ms: definition.blockTimeMs,
    start_block: startBlock,
    reuse_addresses_after_days: reuseAddressesAfterDays,
    currencies: definition.currencies.flatMap(({ enabled, symbol }) => (enabled ? [symbol] : [])),
    collection:
      collection === null
        ? 'off'
        : [
            `from ${formatDecimal(collection.minValue, VALUE_DECIMALS)} USDT`,
            `at most ${Number(collection.maxCostPpm) / 10_000}% of it`,
            `${formatAmount(collection.dailyBudget, coin)} ${coin.symbol} a day`,
            ...(collection.sponsored ? ['addresses of tokens together'] : []),
          ],
  });
}
