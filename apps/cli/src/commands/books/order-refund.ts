// ducat orders refund: sends a paid order back where a person says, part of it or all, as a payout of its app.
import { Command } from 'commander';
import { type Amount, isPositive, zero } from '@ducat/core/money/amount';
import { parseAmount } from '@ducat/core/money/decimal';
import { refundableOf } from '@ducat/core/payout/order-refund';
import { listApps } from '@ducat/gateway/db/tables/apps';
import { findOrders, type OrderRecord } from '@ducat/gateway/db/tables/orders/orders';
import { readSentBack } from '@ducat/gateway/db/tables/payouts/order-refunds';
import { refundOrder } from '@ducat/gateway/flows/payouts/refund-order';
import { newPayoutNo } from '@ducat/gateway/runtime/ids';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { transferTerms } from './transfer-terms.ts';

interface RefundOptions extends ConfigOptions {
  readonly to: string;
  readonly amount?: string;
  readonly fee?: string;
  readonly by: string;
  readonly why: string;
  readonly json?: true;
}

const MAX_APPS = 1_000;

/** The command, to be added to `orders`. */
export function orderRefundCommand(): Command {
  return withConfigOptions(new Command('refund'))
    .description('send a paid order back, part of it or all; it becomes a payout of its app')
    .argument('<trade_no>', 'an order that is PAID')
    .requiredOption(
      '--to <address>',
      'where it goes; ask the payer, an exchange sends from addresses of its own',
    )
    .option('--amount <amount>', 'how much, in the currency of the order; all that is left unless given')
    .option('--fee <amount>', 'what the app pays for the network fee, in the same; nothing unless given')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON')
    .action(refundIt);
}

async function refundIt(orderTradeNo: string, options: RefundOptions): Promise<void> {
  const { by, why: reason, json, ...asked } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const made = await onSetup(options, async (setup) => {
    const payout = await payoutOf(setup, orderTradeNo, asked);
    return setup.database.transact((tx) => refundOrder(tx, payout, { orderTradeNo, by, reason }));
  });
  if (made.outcome === 'refused') throw new CommandError(made.refusal.message);
  const { tradeNo, needsApproval } = made.payout;
  const result = { trade_no: orderTradeNo, payout: tradeNo, needs_approval: needsApproval };
  const next = needsApproval ? ' It waits for approval: ducat payouts approve.' : '';
  process.stdout.write(
    json === true
      ? `${JSON.stringify(result)}\n`
      : `${orderTradeNo} goes back as payout ${tradeNo}.${next}\n`,
  );
}

/** An operator's payout of all that is left, or of the amount that was asked for. Throws CommandError and Outage. */
async function payoutOf(
  setup: Setup,
  orderTradeNo: string,
  { to, amount: wanted, fee }: Pick<RefundOptions, 'to' | 'amount' | 'fee'>,
) {
  const { config, database, world } = setup;
  const order = await findAnyOrder(setup, orderTradeNo);
  const chain = config.chains.find(({ definition }) => definition.name === order.chain)?.definition;
  const currency = chain?.currencies.find(({ currencyId }) => currencyId === order.currencyId);
  if (chain === undefined || currency === undefined)
    throw new CommandError(`the currency of ${orderTradeNo} is not configured`);
  const sentBack = await readSentBack(database.reader, orderTradeNo, order.currencyId);
  const typed = (option: string, text: string): Amount => {
    const amount = parseAmount(text, currency);
    if (amount === null) throw new CommandError(`${option} must be an amount of ${currency.symbol}`);
    return amount;
  };
  const amount = wanted === undefined ? refundableOf({ ...order, sentBack }) : typed('--amount', wanted);
  if (!isPositive(amount)) throw new CommandError(`there is nothing to send back of ${orderTradeNo}`);
  const { appId } = order;
  const tradeNo = newPayoutNo(world);
  const name = `refund:${tradeNo}`;
  return {
    ...(await transferTerms(setup, { appId, chain, currency, amount, to })),
    byOperator: true as const,
    tradeNo,
    appId,
    idempotencyKey: name,
    signature: name,
    inputHash: name,
    chain,
    currency,
    amount,
    gas: fee === undefined ? zero(currency.currencyId) : typed('--fee', fee),
    // The command line asks for no prices.
    value: null,
    callbackUrl: null,
    codeStep: undefined,
    nowMs: world.nowMs(),
  };
}

async function findAnyOrder({ database }: Setup, tradeNo: string): Promise<OrderRecord> {
  const apps = await listApps(database.reader, MAX_APPS);
  const found = await findOrders(
    database.reader,
    apps.map(({ appId }) => ({ appId, tradeNo })),
  );
  const order = found.find((one) => one !== null);
  if (order === undefined || order === null) throw new CommandError(`there is no order ${tradeNo}`);
  return order;
}
