// ducat deposits: money that counts for no order, listed, and assigned to an order or sent back by a person.
import { Command } from 'commander';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { transferReference } from '@ducat/core/ledger/recipes';
import { formatAmount } from '@ducat/core/money/decimal';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { type ListedReceipt, listUnassigned } from '@ducat/gateway/db/tables/transfers/receipts';
import { type AssignedReceipt, assignReceipt } from '@ducat/gateway/flows/orders/assign-receipt';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { MAX_LISTED, readLimit } from './list-limit.ts';
import { receiptIdentity } from './receipt-identity.ts';
import { refundCommand, refundsCommand } from './refund.ts';
import { reinstateCommand, reverseCommand } from './reverse.ts';

interface UnassignedOptions extends ConfigOptions {
  readonly app?: string;
  readonly limit: number;
  readonly json?: true;
}

interface AssignOptions extends ConfigOptions {
  readonly by: string;
  readonly why: string;
  readonly json?: true;
}

/** The commands, to be added to the program. */
export function depositsCommand(): Command {
  const unassigned = withConfigOptions(new Command('unassigned'))
    .description('list receipts that count for no order, newest first')
    .option('--app <app_id>', 'only those of this app')
    .option('--limit <n>', `at most so many, up to ${MAX_LISTED}`, readLimit, 50)
    .option('--json', 'the result as JSON')
    .action(listThem);
  const assign = withConfigOptions(new Command('assign'))
    .description('let a receipt count for an order, like a payment of its block; cannot be undone')
    .argument('<receipt>', 'the receipt as it is listed: chain/transaction/position')
    .argument('<trade_no>', 'an order of the same app and currency')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON')
    .action(assignIt);
  return new Command('deposits')
    .description('money that counts for no order, and receipts that a fork took away')
    .addCommand(unassigned)
    .addCommand(assign)
    .addCommand(refundCommand())
    .addCommand(refundsCommand())
    .addCommand(reverseCommand())
    .addCommand(reinstateCommand());
}

async function listThem({ app: appId, limit: most, json, ...where }: UnassignedOptions): Promise<void> {
  const rows = await onSetup(where, async (setup) => {
    const receipts = await listUnassigned(setup.database.reader, { appId, limit: most });
    return receipts.map((receipt) => asRow(receipt, definitionsOf(setup)));
  });
  process.stdout.write(`${json === true ? JSON.stringify(rows, null, 2) : asText(rows)}\n`);
}

function definitionsOf({ config }: Setup): readonly ChainDefinition[] {
  return [...config.chains.map(({ definition }) => definition), ...config.chainsOff];
}

function asRow({ transfer, appId, tradeNo }: ListedReceipt, definitions: readonly ChainDefinition[]) {
  const { chain, amount, block, to, from } = transfer;
  const currencies = definitions.flatMap((definition) => definition.currencies);
  const currency = currencies.find(({ currencyId }) => currencyId === amount.currencyId);
  return {
    receipt: transferReference(transfer),
    app_id: appId,
    currency_id: amount.currencyId,
    currency: currency === undefined ? `${amount.currencyId}@${chain}` : `${currency.symbol}@${chain}`,
    amount: currency === undefined ? null : formatAmount(amount, currency),
    time: block.time,
    block: block.number,
    from,
    to,
    address_of: tradeNo,
  };
}

function asText(rows: readonly ReturnType<typeof asRow>[]): string {
  if (rows.length === 0) return 'No unassigned receipts.';
  const head = ['RECEIPT', 'APP', 'AMOUNT', 'CURRENCY', 'TIME', 'ADDRESS', 'ADDRESS OF'];
  const cells = rows.map((row) => [
    harmless(row.receipt),
    row.app_id ?? 'the gateway itself',
    row.amount ?? '(unknown)',
    row.currency,
    new Date(row.time * 1000).toISOString().replace('.000', ''),
    row.to,
    row.address_of ?? '(no order)',
  ]);
  return columns([head, ...cells]).join('\n');
}

async function assignIt(typed: string, tradeNo: string, options: AssignOptions): Promise<void> {
  const { by, why: reason, json, ...where } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const receipt = receiptIdentity(typed);
  const assigned = await onSetup(where, async (setup) => {
    const { config, database, world } = setup;
    const definition = definitionsOf(setup).find(({ name }) => name === receipt.chain);
    if (definition === undefined) throw new CommandError(`there is no chain ${receipt.chain}`);
    const { currencies } = definition;
    const writing = { ...createEventWriting(config, world), nowMs: world.nowMs() };
    const input = { receipt, tradeNo, by, reason, currencies, ...writing };
    return database.transact((tx) => assignReceipt(tx, input));
  });
  if (assigned.outcome !== 'assigned') throw new CommandError(refusals[assigned.outcome](typed, tradeNo));
  const { order, disposition, events } = assigned;
  const result = { receipt: typed, trade_no: tradeNo, counts_as: disposition, status: order.status, events };
  if (json === true) process.stdout.write(`${JSON.stringify(result)}\n`);
  else process.stdout.write(`${typed} counts as ${disposition} for ${tradeNo}, which is ${order.status}.\n`);
}

const refusals: Readonly<
  Record<Exclude<AssignedReceipt['outcome'], 'assigned'>, (receipt: string, tradeNo: string) => string>
> = {
  'unknown-receipt': (receipt) =>
    `there is no final transfer ${receipt}; ducat deposits unassigned lists them`,
  refunded: (receipt) => `${receipt} goes back or went back; ducat deposits refunds shows it`,
  'not-unassigned': (receipt) => `${receipt} counts for an order already`,
  absurd: (receipt) => `${receipt} is more than its currency is believed to move; look at the token first`,
  'unknown-order': (_, tradeNo) => `there is no order ${tradeNo}`,
  'other-app': (_, tradeNo) => `the receipt does not belong to the app of ${tradeNo}`,
  'other-currency': (_, tradeNo) => `the receipt is not in the currency of ${tradeNo}`,
  'still-open': (_, tradeNo) =>
    `the receipt came after the expiry of ${tradeNo}, which has not timed out yet; try again after that`,
};
