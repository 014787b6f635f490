// ducat payouts end: ends a payout that the gateway cannot end by itself, with a proof that stands in the books.
import { Command } from 'commander';
import { createEventWriting } from '@ducat/gateway/compose/event-writing';
import { endByHand } from '@ducat/gateway/flows/payouts/end-by-hand';
import { CommandError } from '../../command-error.ts';
import { receiptIdentity } from '../books/receipt-identity.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { refusedStep } from './refused-step.ts';

interface EndOptions extends ConfigOptions {
  readonly paidBy?: string;
  readonly by: string;
  readonly why: string;
  readonly json?: true;
}

/** The command, to be added to `ducat payouts`. */
export function endCommand(): Command {
  return withConfigOptions(new Command('end'))
    .description(
      'end a payout with proof: FAIL where its transaction failed for good, PAID by a transfer that left',
    )
    .argument('<trade_no>', 'the payout')
    .option('--paid-by <transfer>', 'an outflow that was its transfer: chain/transaction/position')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON')
    .action(endIt);
}

async function endIt(tradeNo: string, options: EndOptions): Promise<void> {
  const { paidBy, by, why: reason, json, ...where } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const outcome = await onSetup(where, ({ config, database, world }) => {
    const transfer = paidBy === undefined ? null : receiptIdentity(paidBy);
    const writing = { ...createEventWriting(config, world), nowMs: world.nowMs() };
    return database.transact((tx) => endByHand(tx, { tradeNo, paidBy: transfer, by, reason, ...writing }));
  });
  if (outcome === 'no-such-outflow')
    throw new CommandError(`${paidBy ?? ''} is no final outflow of a wallet, or it paid another payout`);
  if (outcome === 'not-failed')
    throw new CommandError(
      `the transaction of ${tradeNo} has not failed for good; see docs/operate/outgoing.md`,
    );
  if (outcome !== 'moved') throw refusedStep(tradeNo, outcome);
  const status = paidBy === undefined ? 'FAIL' : 'PAID';
  const result = JSON.stringify({ trade_no: tradeNo, status });
  process.stdout.write(
    json === true ? `${result}\n` : `Payout ${tradeNo} is ${status}; its webhook is in the outbox.\n`,
  );
}
