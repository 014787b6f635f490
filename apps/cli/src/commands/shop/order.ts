// ducat order: creates and shows orders, as the merchant's server would.
import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import type { Quote } from '@ducat/core/money/rate';
import { findOrder } from '@ducat/gateway/db/tables/orders/orders';
import { readQuoteEvidence } from '@ducat/gateway/db/tables/orders/quote-evidence';
import type { CreateOrderRequest } from '@ducat/sdk';
import { type AppAccess, type AppOptions, clientOf, openAccess, withAppOptions } from '../../app-access.ts';
import { CommandError } from '../../command-error.ts';
import { parseDuration } from '../../duration.ts';
import { findCurrency } from '../../orders/find-currency.ts';
import { orderMeant, rememberOrder } from '../../orders/last-order.ts';
import { orderText } from '../../orders/show-order.ts';
import { damagedRateText, madeUpText, rateJson, rateText } from '../../orders/show-rate.ts';
import { type Palette, paletteFor } from '../../terminal.ts';
import { onSetup } from '../config-option.ts';

interface CreateOptions extends AppOptions {
  readonly currency: string;
  readonly amount?: string;
  readonly fiat?: string[];
  readonly outTradeNo?: string;
  readonly callbackUrl?: string;
  readonly redirectUrl?: string;
  readonly expiresIn?: number;
  readonly json?: true;
}

interface ShowOptions extends AppOptions {
  readonly config?: string;
  readonly json?: true;
}

/** The commands, to be added to the program. */
export function orderCommand(): Command {
  const create = withAppOptions(new Command('create'))
    .description('create an order, as the shop does')
    .requiredOption('--currency <currency>', 'what is paid with: SYMBOL@CHAIN or a currency_id')
    .option('--amount <amount>', 'how much of it, such as 12.5')
    .option('--fiat <amount and name...>', 'or the price in money, such as --fiat 10 USD')
    .option('--out-trade-no <number>', "the shop's own number of the order; made up unless given")
    .option(
      '--callback-url <url>',
      'where the webhooks of this order go; the address of the app unless given',
    )
    .option('--redirect-url <url>', 'where the payer goes after the payment')
    .option('--expires-in <time>', 'such as 5m; 30 minutes unless given', parseDuration)
    .option('--json', "the API's answer as JSON")
    .action(createOrder);
  const show = withAppOptions(new Command('show'))
    .description('show an order, and what its rate rests on')
    .argument('<trade_no>', 'number of the order, or the word last')
    .option(
      '--config <file>',
      "configuration of the gateway, whose books keep the rate; the running demo's unless given",
    )
    .option('--json', "the API's answer as JSON, with the rate")
    .action(showOrder);
  return new Command('order').description('create and show orders').addCommand(create).addCommand(show);
}

async function createOrder(options: CreateOptions): Promise<void> {
  const access = openAccess(options);
  const client = clientOf(access);
  const currency = findCurrency(await client.currencies.list(), options.currency);
  const created = await client.orders.create({
    out_trade_no: options.outTradeNo ?? `demo-${randomBytes(6).toString('hex')}`,
    currency_id: currency.currency_id,
    ...priceOf(options),
    ...(options.callbackUrl === undefined ? {} : { callback_url: options.callbackUrl }),
    ...(options.redirectUrl === undefined ? {} : { redirect_url: options.redirectUrl }),
    ...(options.expiresIn === undefined ? {} : { time_out: expiry(options.expiresIn) }),
  });
  rememberOrder(access.paths, created.trade_no);
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(created, null, 2)}\n`);
    return;
  }
  const palette = paletteFor(process.stdout);
  const order = await client.orders.detail(created.trade_no);
  const pay = access.demo === undefined ? '' : `\n\n  Next: npx ducat pay ${created.trade_no}${access.flags}`;
  // The API does not show whether the gateway's prices are made up. The demo's prices are known to be.
  const madeUp = order.fiat_amount === '' || access.demo === undefined ? '' : `\n  ${madeUpText(palette)}`;
  process.stdout.write(`${orderText(order, palette)}${madeUp}${pay}\n`);
}

async function showOrder(typed: string, options: ShowOptions): Promise<void> {
  const access = openAccess(options);
  const order = await clientOf(access).orders.detail(orderMeant(access.paths, typed));
  const priced = order.fiat_amount === '' ? unpriced : await pricedBy(order.trade_no, access, options);
  if (options.json === true) {
    const rate = priced === undefined ? {} : { rate: priced.quote === null ? null : rateJson(priced.quote) };
    process.stdout.write(`${JSON.stringify({ ...order, ...rate }, null, 2)}\n`);
    return;
  }
  const palette = paletteFor(process.stdout);
  const rate = rateOf(priced, order.token, palette);
  process.stdout.write(`${orderText(order, palette)}\n${rate === '' ? '' : `\n${rate}\n`}`);
}

/** The quote that priced an order, if any, and whether its rate was altered in the database. */
interface Priced {
  readonly quote: Quote | null;
  readonly isQuoteDamaged: boolean;
}

const unpriced: Priced = { quote: null, isQuoteDamaged: false };

function rateOf(priced: Priced | undefined, token: string, palette: Palette): string {
  if (priced === undefined)
    return palette.dim("The rate is in the gateway's books, which --config <file> opens.");
  if (priced.isQuoteDamaged) return damagedRateText(palette);
  return priced.quote === null ? '' : rateText(priced.quote, token, palette);
}

/** Reads the quote from the books, because the API does not show it to merchants. Undefined where no books are known. */
function pricedBy(
  tradeNo: string,
  { appId, demo }: AppAccess,
  options: ShowOptions,
): Promise<Priced> | undefined {
  if (options.config === undefined && demo === undefined) return undefined;
  return onSetup(options, async ({ database }) => {
    const order = await findOrder(database.reader, appId, tradeNo);
    if (order === null) throw new CommandError(`the books of this configuration have no order ${tradeNo}`);
    if (order.quote === null) return { quote: null, isQuoteDamaged: order.isQuoteDamaged };
    const evidence = await readQuoteEvidence(database.reader, tradeNo);
    return evidence === null
      ? { quote: null, isQuoteDamaged: true }
      : { quote: { ...order.quote, evidence }, isQuoteDamaged: false };
  });
}

type Price = Pick<CreateOrderRequest, 'token_amount' | 'fiat_amount' | 'fiat_name'>;

function priceOf({ amount, fiat }: CreateOptions): Price {
  if ((amount === undefined) === (fiat === undefined)) {
    throw new CommandError('give either --amount 12.5 or --fiat 10 USD');
  }
  if (amount !== undefined) return { token_amount: amount };
  const [fiatAmount, fiatName, ...rest] = fiat ?? [];
  if (fiatAmount === undefined || fiatName === undefined || rest.length > 0) {
    throw new CommandError('--fiat takes an amount and a name: --fiat 10 USD');
  }
  // The gateway checks the name, and its refusal lists the valid ones.
  return { fiat_amount: fiatAmount, fiat_name: fiatName.toUpperCase() as NonNullable<Price['fiat_name']> };
}

/** The shortest expiry that the API accepts, counted from the arrival of the request. */
const SHORTEST_SECONDS = 60;
const ON_THE_WAY_SECONDS = 2;

function expiry(seconds: number): number {
  const now = Math.floor(Date.now() / 1000);
  return now + (seconds === SHORTEST_SECONDS ? seconds + ON_THE_WAY_SECONDS : seconds);
}
