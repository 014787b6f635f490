// ducat payouts cancel: gives a payout's money back before anything was signed for it.
import { Command } from 'commander';
import { cancelPayout } from '@ducat/gateway/flows/payouts/cancel-payout';
import { CommandError } from '../../command-error.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { refusedStep } from './refused-step.ts';

interface CancelOptions extends ConfigOptions {
  readonly by: string;
  readonly why: string;
  readonly json?: true;
}

/** The command, to be added to `ducat payouts`. */
export function cancelCommand(): Command {
  return withConfigOptions(new Command('cancel'))
    .description('cancel a payout in PROGRESS of which no transaction is being made; all of it is released')
    .argument('<trade_no>', 'the payout')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON')
    .action(cancelIt);
}

async function cancelIt(tradeNo: string, { by, why, json, ...where }: CancelOptions): Promise<void> {
  if (by.trim() === '' || why.trim() === '') throw new CommandError('--by and --why must not be empty');
  const outcome = await onSetup(where, ({ database, world }) =>
    database.transact((tx) => cancelPayout(tx, { tradeNo, by, reason: why, nowMs: world.nowMs() })),
  );
  if (outcome !== 'moved') throw refusedStep(tradeNo, outcome);
  const text = `Payout ${tradeNo} is cancelled: what it bound is in the balance again.`;
  process.stdout.write(`${json === true ? JSON.stringify({ trade_no: tradeNo, status: 'CANCEL' }) : text}\n`);
}
