// ducat deposits refund: sends a receipt back to a chosen address, as a payout of its app.
import { Command } from 'commander';
import { transferReference } from '@ducat/core/ledger/recipes';
import { zero } from '@ducat/core/money/amount';
import { parseAmount } from '@ducat/core/money/decimal';
import { listRefunds } from '@ducat/gateway/db/tables/payouts/receipt-refunds';
import { findReceipt } from '@ducat/gateway/db/tables/transfers/receipts';
import { type RefundedReceipt, refundReceipt } from '@ducat/gateway/flows/payouts/refund-receipt';
import { newPayoutNo } from '@ducat/gateway/runtime/ids';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { MAX_LISTED, readLimit } from './list-limit.ts';
import { receiptIdentity } from './receipt-identity.ts';
import { transferTerms } from './transfer-terms.ts';

interface RefundOptions extends ConfigOptions {
  readonly to: string;
  readonly keep?: string;
  readonly by: string;
  readonly why: string;
  readonly json?: true;
}

interface RefundsOptions extends ConfigOptions {
  readonly app?: string;
  readonly limit: number;
  readonly json?: true;
}

/** The command, to be added to `ducat deposits`. `price` gives the terms of its transfer. */
export function refundCommand(price: typeof transferTerms = transferTerms): Command {
  return withConfigOptions(new Command('refund'))
    .description('send an unassigned, late or extra receipt back, once; it becomes a payout of its app')
    .argument('<receipt>', 'the receipt as it is listed: chain/transaction/position')
    .requiredOption(
      '--to <address>',
      'where it goes; ask the payer, an exchange sends from addresses of its own',
    )
    .option('--keep <amount>', 'what of it is kept for the network fee; nothing unless given')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON')
    .action((typed: string, options: RefundOptions) => refundIt(typed, options, price));
}

/** The command, to be added to `ducat deposits`. */
export function refundsCommand(): Command {
  return withConfigOptions(new Command('refunds'))
    .description('list receipts that went back or are on their way, newest first')
    .option('--app <app_id>', 'only those of this app')
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, readLimit, 50)
    .option('--json', 'the result as JSON')
    .action(listThem);
}

async function refundIt(typed: string, options: RefundOptions, price: typeof transferTerms): Promise<void> {
  const { by, why: reason, json, to, keep, ...where } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const refunded = await onSetup(where, async (setup) => {
    const terms = await termsOf(setup, typed, { to, keep, price });
    const { world, database } = setup;
    const input = { ...terms, tradeNo: newPayoutNo(world), value: null, by, reason, nowMs: world.nowMs() };
    return database.transact((tx) => refundReceipt(tx, input));
  });
  if (refunded.outcome !== 'opened') throw new CommandError(refusals[refunded.outcome](typed));
  const { tradeNo, needsApproval } = refunded.payout;
  const result = { receipt: typed, payout: tradeNo, needs_approval: needsApproval };
  const next = needsApproval ? ' It waits for approval: ducat payouts approve.' : '';
  process.stdout.write(
    json === true ? `${JSON.stringify(result)}\n` : `${typed} goes back as payout ${tradeNo}.${next}\n`,
  );
}

/** The terms of the refund: what the chain asks for the transfer, and its destination. Throws CommandError and Outage. */
async function termsOf(
  setup: Setup,
  typed: string,
  {
    to,
    keep,
    price,
  }: { readonly to: string; readonly keep: string | undefined; readonly price: typeof transferTerms },
) {
  const { config, database } = setup;
  const receipt = receiptIdentity(typed);
  const configured = config.chains.find(({ definition }) => definition.name === receipt.chain);
  if (configured === undefined) throw new CommandError(`the chain ${receipt.chain} is not on`);
  const chain = configured.definition;
  const found = await findReceipt(database.reader, receipt);
  if (found === null) throw new CommandError(refusals['unknown-receipt'](typed));
  const currency = chain.currencies.find(({ currencyId }) => currencyId === found.transfer.amount.currencyId);
  if (currency === undefined) throw new CommandError(`the currency of ${typed} is not configured`);
  const { appId, transfer } = found;
  if (appId === null) throw new CommandError(refusals['no-app'](typed));
  const gas = keep === undefined ? zero(currency.currencyId) : parseAmount(keep, currency);
  if (gas === null) throw new CommandError(`--keep must be an amount of ${currency.symbol}`);
  const terms = await price(setup, { appId, chain, currency, amount: transfer.amount, to });
  return { receipt, chain, currency, gas, ...terms };
}

const refusals: Readonly<Record<Exclude<RefundedReceipt['outcome'], 'opened'>, (receipt: string) => string>> =
  {
    'unknown-receipt': (receipt) => `there is no final transfer ${receipt}`,
    'no-app': (receipt) => `${receipt} belongs to no app`,
    counts: (receipt) => `${receipt} counts for its order; a merchant returns that by a payout`,
    refunded: (receipt) => `${receipt} goes back or went back; ducat deposits refunds shows it`,
    'order-sent-back': (receipt) =>
      `${receipt} is more than its order has left; ducat orders refund sends the rest back`,
    absurd: (receipt) => `${receipt} is more than its currency is believed to move; look at the token first`,
    'less-than-gas': (receipt) => `${receipt} is no more than what would be kept of it`,
    'gas-short': (receipt) => `what would be kept of ${receipt} does not pay the network fee`,
    refused: (receipt) => `the rules of its app do not let ${receipt} go`,
    'balance-short': (receipt) => `the app has no longer as much as ${receipt} was`,
  };

async function listThem({ app, limit, json, ...where }: RefundsOptions): Promise<void> {
  const rows = await onSetup(where, async ({ database }) => {
    const refunds = await listRefunds(database.reader, { appId: app ?? null, limit });
    return refunds.map((refund) => ({
      receipt: transferReference(refund.receipt),
      payout: refund.tradeNo,
      app_id: refund.appId,
      status: refund.status,
      txid: refund.txId,
      by: refund.by,
      why: refund.reason,
      time: Math.floor(refund.atMs / 1000),
    }));
  });
  process.stdout.write(`${json === true ? JSON.stringify(rows, null, 2) : asText(rows)}\n`);
}

interface Row {
  readonly receipt: string;
  readonly payout: string;
  readonly app_id: string;
  readonly status: string;
  readonly by: string;
  readonly why: string;
}

function asText(rows: readonly Row[]): string {
  if (rows.length === 0) return 'No refunds.';
  const cells = rows.map(({ receipt, payout, app_id, status, by, why }) => [
    harmless(receipt),
    payout,
    app_id,
    status,
    harmless(by),
    harmless(why),
  ]);
  return columns([['RECEIPT', 'PAYOUT', 'APP', 'STATUS', 'BY', 'WHY'], ...cells]).join('\n');
}
