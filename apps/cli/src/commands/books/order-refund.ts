// ducat orders refund: sends an order back to a chosen address, in part or whole, as a payout of its app.
import { createHash } from 'node:crypto';
import { Command } from 'commander';
import { type Amount, isPositive, zero } from '@ducat/core/money/amount';
import { parseAmount } from '@ducat/core/money/decimal';
import { refundableOf } from '@ducat/core/payout/order-refund';
import { type OrderRecord, readOrder } from '@ducat/gateway/db/tables/orders/orders';
import { readSentBack } from '@ducat/gateway/db/tables/payouts/order-refunds';
import { findPayoutByKey, type PayoutRecord } from '@ducat/gateway/db/tables/payouts/payouts';
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
  readonly request?: string;
  readonly by: string;
  readonly why: string;
  readonly json?: true;
}

type Asked = Pick<RefundOptions, 'to' | 'amount' | 'fee'>;

/** Request names that are one word in a shell. */
const REQUEST = /^[A-Za-z0-9_-]{1,64}$/;

/** The command, to be added to `orders`; `termsOf` asks the chain. */
export function orderRefundCommand(termsOf: typeof transferTerms = transferTerms): Command {
  return withConfigOptions(new Command('refund'))
    .description('send an order back, part of it or all; it becomes a payout of its app')
    .argument('<trade_no>', 'an order that is PAID or TIME-OUT')
    .requiredOption(
      '--to <address>',
      'where it goes; ask the payer, an exchange sends from addresses of its own',
    )
    .option('--amount <amount>', 'how much, in the currency of the order; all that is left unless given')
    .option('--fee <amount>', 'what the app pays for the network fee, in the same; nothing unless given')
    .option('--request <id>', 'your own name of this refund: the same one pays once; made up unless given')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON')
    .action((tradeNo: string, options: RefundOptions) => refundIt(tradeNo, options, termsOf));
}

async function refundIt(
  orderTradeNo: string,
  options: RefundOptions,
  termsOf: typeof transferTerms,
): Promise<void> {
  const { by, why: reason, json, request, ...asked } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  if (request !== undefined && !REQUEST.test(request))
    throw new CommandError('--request must be 1 to 64 letters, digits, hyphens or underscores');
  const { payout, name } = await onSetup(options, async (setup) => {
    const order = await readOrder(setup.database.reader, orderTradeNo);
    if (order === null) throw new CommandError(`there is no order ${orderTradeNo}`);
    const tradeNo = newPayoutNo(setup.world);
    const call = { tradeNo, name: request ?? tradeNo, inputHash: hashOf(orderTradeNo, asked) };
    const standing = await findPayoutByKey(setup.database.reader, order.appId, keyOf(call));
    if (standing !== null) return { payout: same(standing, call), name: call.name };
    const wanted = await payoutOf(setup, order, asked, { ...call, termsOf });
    const made = await setup.database.transact((tx) => refundOrder(tx, wanted, { orderTradeNo, by, reason }));
    if (made.outcome === 'refused') throw new CommandError(made.refusal.message);
    return { payout: same(made.payout, call), name: call.name };
  });
  const { tradeNo, needsApproval } = payout;
  const result = { trade_no: orderTradeNo, payout: tradeNo, needs_approval: needsApproval, request: name };
  const next = needsApproval ? ' It waits for approval: ducat payouts approve.' : '';
  process.stdout.write(
    json === true
      ? `${JSON.stringify(result)}\n`
      : `${orderTradeNo} goes back as payout ${tradeNo}, by request ${name}.${next}\n`,
  );
}

interface Named {
  /** The number of the payout, where it is made now. */
  readonly tradeNo: string;
  readonly name: string;
  readonly inputHash: string;
}

const keyOf = ({ name }: Named) => `order-refund:${name}`;

/**
 * A hash of the request as it was typed. It holds no computed amount, because "all that is left" is another amount
 * after the refund.
 */
function hashOf(orderTradeNo: string, { to, amount, fee }: Asked): string {
  const asked = JSON.stringify([orderTradeNo, to, amount ?? null, fee ?? null]);
  return createHash('sha256').update(asked).digest('hex');
}

/**
 * Returns the payout that an earlier request of this name made. Throws where that request was a different one, so that
 * nothing is paid.
 */
function same(payout: PayoutRecord, { name, inputHash }: Named): PayoutRecord {
  if (payout.inputHash === inputHash) return payout;
  throw new CommandError(`request ${name} made payout ${payout.tradeNo}, of another order or other terms`);
}

/** Makes an operator's payout of all that is left, or of the amount that was asked for. Throws CommandError and Outage. */
async function payoutOf(
  setup: Setup,
  order: OrderRecord,
  { to, amount: wanted, fee }: Asked,
  { termsOf, ...call }: Named & { readonly termsOf: typeof transferTerms },
) {
  const { config, database, world } = setup;
  const { appId, tradeNo: orderTradeNo } = order;
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
  const gas = fee === undefined ? zero(currency.currencyId) : typed('--fee', fee);
  if (!isPositive(amount)) throw new CommandError(`there is nothing to send back of ${orderTradeNo}`);
  return {
    ...(await termsOf(setup, { appId, chain, currency, amount, to })),
    byOperator: true as const,
    tradeNo: call.tradeNo,
    appId,
    idempotencyKey: keyOf(call),
    signature: keyOf(call),
    inputHash: call.inputHash,
    chain,
    currency,
    amount,
    gas,
    // The command line asks for no prices.
    value: null,
    callbackUrl: null,
    codeStep: undefined,
    nowMs: world.nowMs(),
  };
}
