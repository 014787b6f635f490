// ducat orders list: the orders of one app or of all, newest first.
import { Command, Option } from 'commander';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { Amount } from '@ducat/core/money/amount';
import { formatAmount } from '@ducat/core/money/decimal';
import type { OrderStatus } from '@ducat/core/order/order';
import { listMerchantOrders, type OrderListRow } from '@ducat/gateway/db/reports/dashboard/orders/order-list';
import { listApps } from '@ducat/gateway/db/tables/apps';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { MAX_LISTED, readLimit } from './list-limit.ts';

interface ListOptions extends ConfigOptions {
  readonly app?: string;
  readonly status?: OrderStatus;
  readonly before?: string;
  readonly limit: number;
  readonly json?: true;
}

const MAX_APPS = 1_000;
/** A text that sorts after every order number. */
const BEHIND_ALL = '~';
const statuses: readonly OrderStatus[] = ['TO-BE-PAID', 'PAID', 'TIME-OUT'];

/** The command, to be added to `orders`. */
export function orderListCommand(): Command {
  return withConfigOptions(new Command('list'))
    .description('list orders, newest first')
    .option('--app <app_id>', 'only those of this app')
    .addOption(new Option('--status <status>', 'only those in this status').choices(statuses))
    .option('--before <trade_no>', 'only those that are older than this one: the next page')
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, readLimit, 50)
    .option('--json', 'the result as JSON')
    .action(listThem);
}

async function listThem({ json, ...options }: ListOptions): Promise<void> {
  const { orders, searchedTo } = await onSetup(options, (setup) => readOrders(setup, options));
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ orders, searched_to: searchedTo }, null, 2)}\n`);
    return;
  }
  const rows = orders.map((one) => [
    one.trade_no,
    one.app_id,
    one.status,
    `${one.collected} of ${one.due} ${one.currency}`,
    one.webhook ?? '',
    one.created_at,
    harmless(one.out_trade_no),
  ]);
  const head = ['Order', 'App', 'Status', 'Collected', 'Webhook', 'Made', 'Number of the shop'];
  const more =
    searchedTo === null ? [] : ['', `Older orders were not looked at yet: --before ${searchedTo} goes on.`];
  process.stdout.write(`${[...columns([head, ...rows]), ...more].join('\n')}\n`);
}

async function readOrders(
  { config, database: { reader } }: Setup,
  { app, status, before = BEHIND_ALL, limit }: ListOptions,
) {
  const apps = (await listApps(reader, MAX_APPS)).map(({ appId }) => appId);
  if (app !== undefined && !apps.includes(app)) throw new CommandError(`there is no app ${app}`);
  const appIds = app === undefined ? apps : [app];
  const page = await listMerchantOrders(reader, { appIds, status, before, from: '', limit });
  const definitions = [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
  return { orders: page.orders.map((row) => asShown(row, definitions)), searchedTo: page.searchedTo };
}

function asShown(row: OrderListRow, definitions: readonly ChainDefinition[]) {
  const chain = definitions.find(({ currencies }) =>
    currencies.some(({ currencyId }) => currencyId === row.currencyId),
  );
  const currency = chain?.currencies.find(({ currencyId }) => currencyId === row.currencyId);
  // Where the configuration no longer knows the currency, its decimals are unknown too.
  const amount = (units: Amount) => (currency === undefined ? '(unknown)' : formatAmount(units, currency));
  return {
    trade_no: row.tradeNo,
    app_id: row.appId,
    out_trade_no: row.outTradeNo,
    status: row.status,
    currency: currency === undefined ? `${row.currencyId}` : `${currency.symbol}@${chain?.name ?? ''}`,
    due: amount(row.due),
    collected: amount(row.collected),
    webhook: row.eventState,
    created_at: new Date(row.createTime * 1000).toISOString(),
  };
}
