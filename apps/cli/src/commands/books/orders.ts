// ducat orders: lists and finds the orders of any app, and takes a person's decisions about an order.
import { Command } from 'commander';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { type AcceptedLate, acceptLate } from '@ducat/gateway/flows/orders/accept-late';
import { CommandError } from '../../command-error.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { orderListCommand } from './order-list.ts';
import { orderRefundCommand } from './order-refund.ts';
import { orderSearchCommand } from './order-search.ts';

interface AcceptOptions extends ConfigOptions {
  readonly by: string;
  readonly why: string;
  readonly json?: true;
}

/** The commands, to be added to the program. */
export function ordersCommand(): Command {
  const accept = withConfigOptions(new Command('accept'))
    .description('accept a late order as paid: its merchant gets the PAID webhook; cannot be undone')
    .argument('<trade_no>', 'an order that timed out and was paid in full too late')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON')
    .action(acceptIt);
  return new Command('orders')
    .description('list and find orders of any app, and decide about them')
    .addCommand(orderListCommand())
    .addCommand(orderSearchCommand())
    .addCommand(accept)
    .addCommand(orderRefundCommand());
}

async function acceptIt(tradeNo: string, options: AcceptOptions): Promise<void> {
  const { by, why: reason, json, ...where } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const accepted = await onSetup(where, ({ config, database, world }) => {
    const input = { tradeNo, by, reason, ...createEventWriting(config, world), nowMs: world.nowMs() };
    return database.transact((tx) => acceptLate(tx, input));
  });
  if (accepted.outcome !== 'accepted') throw new CommandError(refusals[accepted.outcome](tradeNo));
  const result = { trade_no: tradeNo, status: accepted.order.status };
  process.stdout.write(
    json === true ? `${JSON.stringify(result)}\n` : `${tradeNo} is PAID; its webhook is in the outbox.\n`,
  );
}

const refusals: Readonly<Record<Exclude<AcceptedLate['outcome'], 'accepted'>, (tradeNo: string) => string>> =
  {
    'unknown-order': (tradeNo) => `there is no order ${tradeNo}`,
    'still-open': (tradeNo) => `${tradeNo} has not timed out yet; try again after that`,
    'already-paid': (tradeNo) => `${tradeNo} is PAID already`,
    short: (tradeNo) => `what came for ${tradeNo} is less than what is due, late money included`,
  };
