// The schema of ducat.toml. ducat.example.toml describes what each entry means and risks.
import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;
const positive = Type.Integer({ minimum: 1 });
/** Sockets of one process. The system's limit of open files has to be higher. */
const connections = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const filled = Type.String({ minLength: 1 });
const days = Type.Integer({ minimum: 0, maximum: 36_500 });
/** As long as other texts of an order, without characters that break a terminal or an XML parser. */
const symbol = Type.String({
  minLength: 1,
  maxLength: 32,
  pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f\\ufffe\\uffff]*$',
});
/** The largest value of an integer column of PostgreSQL. */
const LARGEST_ID = 2_147_483_647;

export const roleNames = [
  'api',
  'pages',
  'dashboard',
  'watcher',
  'notifier',
  'maintenance',
  'payer',
  'collector',
] as const;

/** The roles without an entry `roles`. The dashboard is left out, so that no upgrade starts to serve people's accounts. */
export const defaultRoles = roleNames.filter((name) => name !== 'dashboard');

/** The sources of market prices: of coins first, then of fiat currencies. */
export const rateSourceNames = [
  'coingecko',
  'binance',
  'kraken',
  'coinbase',
  'okx',
  'ecb',
  'er_api',
  'currency_api',
  'floatrates',
] as const;

/** The sources that report reference rates of fiat currencies; all others price coins. */
export const fiatSourceNames: ReadonlySet<string> = new Set(['ecb', 'er_api', 'currency_api', 'floatrates']);

const currency = Type.Object(
  {
    currency_id: Type.Integer({ minimum: 1, maximum: LARGEST_ID }),
    symbol: Type.Optional(symbol),
    contract: Type.Optional(Type.String()),
    decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 36 })),
    display_decimals: Type.Optional(Type.Integer({ minimum: 0, maximum: 36 })),
    enabled: Type.Optional(Type.Boolean()),
    rate_asset: Type.Optional(filled),
  },
  closed,
);

const rateSourceUrls = Object.fromEntries(
  rateSourceNames.map((name) => [name, Type.Optional(filled)] as const),
  // Object.fromEntries loses the type of the keys; they are the names above.
) as Record<(typeof rateSourceNames)[number], Type.TOptional<typeof filled>>;

const stake = Type.Object({ account: filled, permission: Type.Integer({ minimum: 2, maximum: 9 }) }, closed);

const collection = Type.Object(
  {
    min_value: Type.Optional(filled),
    max_cost_percent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    window_minutes: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_080 })),
    daily_budget: filled,
    // Half of a top-up has to pay for the most expensive transfer that is signed.
    top_up_payouts: Type.Optional(Type.Integer({ minimum: 8, maximum: 1_000 })),
    top_up_budget: Type.Optional(filled),
    stake: Type.Optional(stake),
    sponsored: Type.Optional(Type.Boolean()),
    warn_below_days: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_650 })),
    warn_below_payouts: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  },
  closed,
);

const chain = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    rpc_urls: Type.Array(filled),
    solidity_urls: Type.Optional(Type.Array(filled)),
    requests_per_second: Type.Optional(positive),
    quorum: Type.Optional(positive),
    chain_id: Type.Optional(positive),
    // Tron writes the hash without 0x.
    genesis_hash: Type.Optional(Type.String({ pattern: '^(?:0x)?[0-9a-fA-F]{64}$' })),
    confirmations: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    node_finality: Type.Optional(Type.Enum(['finalized', 'none'])),
    // Memory for the whole window is allocated at the start.
    window_blocks: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    block_time_ms: Type.Optional(positive),
    traces: Type.Optional(Type.Enum(['debug', 'none'])),
    start_block: Type.Optional(Type.Integer({ minimum: 0 })),
    reuse_addresses_after_days: Type.Optional(Type.Integer({ minimum: 7, maximum: 3_650 })),
    explorer_url: Type.Optional(Type.String()),
    public_rpc_url: Type.Optional(Type.String()),
    network: Type.Optional(filled),
    monitor_chain_id: Type.Optional(positive),
    collection: Type.Optional(collection),
    cold: Type.Optional(Type.Array(filled, { uniqueItems: true })),
    known_tokens: Type.Optional(Type.Enum(['all', 'common', 'listed'])),
    currencies: Type.Optional(Type.Array(currency)),
  },
  closed,
);

/** The section of one chain, from the file or from the dashboard. */
export const chainSchema = chain;
export const currencySchema = currency;

export const configSchema = Type.Object(
  {
    demo: Type.Optional(Type.Boolean()),
    roles: Type.Optional(Type.Array(Type.Enum([...roleNames]), { minItems: 1, uniqueItems: true })),
    api: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(filled),
          port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
          public_url: Type.Optional(filled),
          checkout_url: Type.Optional(filled),
          requests_per_second: Type.Optional(positive),
          burst: Type.Optional(positive),
          requests_per_second_per_address: Type.Optional(positive),
          max_connections: Type.Optional(connections),
          max_connections_per_address: Type.Optional(connections),
          trusted_proxies: Type.Optional(Type.Array(filled)),
        },
        closed,
      ),
    ),
    pages: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(filled),
          port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
          faucet_url: Type.Optional(filled),
          max_connections: Type.Optional(connections),
          max_connections_per_address: Type.Optional(connections),
        },
        closed,
      ),
    ),
    dashboard: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(filled),
          port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
          url: Type.Optional(filled),
          sign_up: Type.Optional(Type.Enum(['open', 'invited', 'closed'])),
          sign_ups: Type.Optional(
            Type.Object(
              {
                suspended: Type.Optional(Type.Boolean()),
                per_day: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
                payout_max_usd: Type.Optional(filled),
                payout_max_day_usd: Type.Optional(filled),
                max_open_orders: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
              },
              closed,
            ),
          ),
          private_nodes: Type.Optional(Type.Array(filled)),
        },
        closed,
      ),
    ),
    database: Type.Optional(
      Type.Object(
        {
          url: Type.Optional(filled),
          connections: Type.Optional(positive),
          promotes_only_synced: Type.Optional(Type.Boolean()),
        },
        closed,
      ),
    ),
    secrets: Type.Optional(Type.Object({ master_secret_file: Type.Optional(filled) }, closed)),
    signer: Type.Optional(
      Type.Object(
        {
          socket: Type.Optional(filled),
          tls: Type.Optional(
            Type.Object(
              {
                host: filled,
                port: Type.Integer({ minimum: 1, maximum: 65_535 }),
                cert_file: filled,
                key_file: filled,
                ca_file: filled,
              },
              closed,
            ),
          ),
          client: filled,
          token_file: filled,
          uid: Type.Optional(Type.Integer({ minimum: 0 })),
          key_id: Type.Optional(Type.String({ pattern: '^[0-9a-f]{16}$' })),
        },
        closed,
      ),
    ),
    approvers: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
        Type.String({ pattern: '^[0-9a-f]{64}$' }),
        closed,
      ),
    ),
    mail: Type.Optional(
      Type.Object(
        {
          host: Type.Optional(filled),
          port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535 })),
          tls: Type.Optional(Type.Enum(['implicit', 'starttls', 'none'])),
          user: Type.Optional(filled),
          password_file: Type.Optional(filled),
          sender: Type.Optional(Type.String({ pattern: '^[!-?A-~]+@[a-z0-9.-]+$', maxLength: 254 })),
          folder: Type.Optional(filled),
        },
        closed,
      ),
    ),
    addresses: Type.Optional(
      Type.Object({ pool_size: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })) }, closed),
    ),
    checks: Type.Optional(
      Type.Object(
        {
          round_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 720 })),
          calls_per_minute: Type.Optional(Type.Integer({ minimum: 1, maximum: 6_000 })),
        },
        closed,
      ),
    ),
    backups: Type.Optional(
      Type.Object(
        {
          max_age_hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 8_760 })),
          restore_max_age_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3_650 })),
          archive_max_age_minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_080 })),
        },
        closed,
      ),
    ),
    webhooks: Type.Optional(
      Type.Object(
        {
          allowed_private_ranges: Type.Optional(Type.Array(filled)),
          concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_024 })),
          concurrency_per_receiver: Type.Optional(positive),
        },
        closed,
      ),
    ),
    retention: Type.Optional(
      Type.Object(
        {
          deliveries_after_days: Type.Optional(days),
          quote_evidence_after_days: Type.Optional(days),
          api_calls_after_days: Type.Optional(days),
        },
        closed,
      ),
    ),
    rates: Type.Optional(
      Type.Object(
        {
          source: Type.Optional(Type.Enum(['none', 'fixed-demo', 'market'])),
          max_age_seconds: Type.Optional(positive),
          max_fiat_age_hours: Type.Optional(positive),
          min_sources: Type.Optional(positive),
          single_source: Type.Optional(Type.Array(filled, { uniqueItems: true })),
          max_spread_basis_points: Type.Optional(Type.Integer({ minimum: 1, maximum: 5_000 })),
          sources: Type.Optional(
            Type.Array(Type.Enum([...rateSourceNames]), { minItems: 1, uniqueItems: true }),
          ),
          coingecko_key_file: Type.Optional(filled),
          urls: Type.Optional(Type.Object(rateSourceUrls, closed)),
        },
        closed,
      ),
    ),
    operations: Type.Optional(
      Type.Object(
        { host: Type.Optional(filled), port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })) },
        closed,
      ),
    ),
    log: Type.Optional(
      Type.Object({ level: Type.Optional(Type.Enum(['debug', 'info', 'warn', 'error'])) }, closed),
    ),
    // Closed, because a record otherwise accepts names outside its pattern without checking their values.
    chains: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z0-9]{2,16}$' }), chain, closed)),
  },
  closed,
);

export type ConfigFile = Static<typeof configSchema>;
export type ChainConfig = Static<typeof chain>;
export type CurrencyConfig = Static<typeof currency>;
export type RateSourceName = (typeof rateSourceNames)[number];
export type RoleName = (typeof roleNames)[number];
