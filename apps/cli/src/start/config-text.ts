// Writes the ducat.toml of the local demo: readable, complete, and written anew at each start.
import { chainDefinitions } from '@ducat/core/chain/definitions/index';
import { stringify } from 'smol-toml';
import type { DemoChain } from '../state/demo-record.ts';
import type { Ports } from '../state/ports.ts';
import type { StatePaths } from '../state/state-paths.ts';
import { demoApprovers } from './people/demo-approvers.ts';

export interface DemoSettings {
  readonly paths: StatePaths;
  readonly ports: Ports;
  readonly databaseUrl: string;
  readonly chains: readonly DemoChain[];
}

/** The name under which the gateway is listed in the signer's clients file. */
export const SIGNER_CLIENT = 'gateway';

const ROLES = ['api', 'pages', 'dashboard', 'watcher', 'notifier', 'maintenance', 'payer', 'collector'];

/** Collects at once and at almost any cost, so that a visitor of the demo can pay out a deposit right away. */
const COLLECTION = { min_value: '1', max_cost_percent: 100, window_minutes: 0, daily_budget: '100000' };

/** Limits of merchants that sign up. They are high, because coins of the demo are worthless. */
const SIGN_UPS = { suspended: false, payout_max_usd: '100000', max_open_orders: 1_000 };

/** The coin of WKC has no market price. Fees in it are charged at the price of this coin. */
const WKC_PRICED_AS = 'POL';

const HEAD = `# The configuration of the local demo. "ducat start" writes it anew at each start, so changes here are lost.
# It is private: the database address holds a password.
# For real money begin with packages/gateway/ducat.example.toml, where each entry is explained.
`;

/** The text of ducat.toml. */
export function configText(settings: DemoSettings): string {
  const { paths, ports, databaseUrl, chains } = settings;
  const sections: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
    [
      'Weak secrets and made-up prices are allowed. Never true where real money is taken.',
      { demo: true, roles: ROLES },
    ],
    ['The merchant API, on this machine alone.', { api: { host: '127.0.0.1', port: ports.api } }],
    [
      'The payment pages, and the faucet that their sandbox panel pays from.',
      {
        pages: {
          host: '127.0.0.1',
          port: ports.pages,
          faucet_url: `http://127.0.0.1:${ports.faucet}/`,
        },
      },
    ],
    [
      'The dashboard. Anybody may sign up, and pay out what was paid in.',
      {
        dashboard: { host: '127.0.0.1', port: ports.dashboard, sign_up: 'open', sign_ups: SIGN_UPS },
      },
    ],
    [
      'Mails are caught: each becomes a file, which the dashboard shows at /mails.',
      { mail: { folder: paths.mails } },
    ],
    ['Health and metrics.', { operations: { host: '127.0.0.1', port: ports.operations } }],
    ['PostgreSQL, with its password.', { database: { url: databaseUrl } }],
    ['Demo secrets: made at the first start.', { secrets: { master_secret_file: paths.masterSecret } }],
    [
      'The process that holds the seed.',
      { signer: { socket: paths.signerSocket, client: SIGNER_CLIENT, token_file: paths.signerToken } },
    ],
    [
      'Who approves payouts as a second person; the same keys stand in the policy of the signer.',
      { approvers: demoApprovers(paths) },
    ],
    [
      'Webhooks of the demo go to this machine, which is refused everywhere else.',
      { webhooks: { allowed_private_ranges: ['127.0.0.0/8', '::1/128'] } },
    ],
    ['Prices are fixed and made up.', { rates: { source: 'fixed-demo' } }],
    ...chains.map(
      (chain) =>
        [`The local ${chain.chain} chain.`, { chains: { [chain.chain]: chainEntries(chain) } }] as const,
    ),
  ];
  return `${HEAD}\n${sections.map(([comment, entries]) => `# ${comment}\n${stringify(entries)}`).join('\n')}`;
}

function chainEntries(chain: DemoChain): Readonly<Record<string, unknown>> {
  return {
    rpc_urls: [chain.rpc_url],
    chain_id: chain.chain_id,
    genesis_hash: chain.genesis_hash,
    confirmations: chain.need_confirms,
    node_finality: 'finalized',
    block_time_ms: chain.block_time_ms,
    // The local nodes can trace, so internal transactions are seen too. Tron nodes show them in every receipt.
    ...(chain.family === 'evm' ? { traces: 'debug' } : { requests_per_second: 200 }),
    // Starts at the first block, so that no payment is missed, however long the gateway was down.
    start_block: 0,
    public_rpc_url: chain.rpc_url,
    explorer_url: '',
    // Every token that Ducat knows is listed below. A token without a contract on the local chain is off.
    known_tokens: 'listed',
    collection: COLLECTION,
    currencies: chain.currencies.map((currency) => currencyEntries(chain.chain, currency)),
  };
}

/**
 * For a known token, only its contract on the local chain. Everything else is as on the public chain, its price and
 * whether it is on included.
 */
function currencyEntries(
  chain: string,
  currency: DemoChain['currencies'][number],
): Readonly<Record<string, unknown>> {
  const { currency_id, symbol, contract, decimals } = currency;
  const known = chainDefinitions.find(({ name }) => name === chain)?.currencies ?? [];
  if (known.some(({ currencyId }) => currencyId === currency_id)) {
    const isCoinOfWkc = chain === 'WKC' && contract === '';
    return { currency_id, contract, ...(isCoinOfWkc ? { rate_asset: WKC_PRICED_AS } : {}) };
  }
  return { currency_id, symbol, contract, decimals, display_decimals: 2, rate_asset: symbol };
}
