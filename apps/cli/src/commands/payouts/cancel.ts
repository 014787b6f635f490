// ducat payouts cancel and decline: release a payout's money before anything was signed for it.
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
  return withWhoAndWhy('cancel')
    .description('cancel a payout in PROGRESS of which no transaction is being made; all of it is released')
    .action((tradeNo: string, options: CancelOptions) => cancelIt(tradeNo, options, false));
}

/** The command, to be added to `ducat payouts`. */
export function declineCommand(): Command {
  return withWhoAndWhy('decline')
    .description(
      'decline a payout that waits for a second person: it is cancelled, and its story says by whom',
    )
    .action((tradeNo: string, options: CancelOptions) => cancelIt(tradeNo, options, true));
}

function withWhoAndWhy(name: string): Command {
  return withConfigOptions(new Command(name))
    .argument('<trade_no>', 'the payout')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .option('--json', 'the result as JSON');
}

async function cancelIt(
  tradeNo: string,
  { by, why: reason, json, ...where }: CancelOptions,
  isDeclined: boolean,
): Promise<void> {
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const decline = isDeclined ? { decline: { personId: null } } : {};
  const outcome = await onSetup(where, ({ database, world }) =>
    database.transact((tx) => cancelPayout(tx, { tradeNo, by, reason, nowMs: world.nowMs(), ...decline })),
  );
  if (outcome !== 'moved') throw refusedStep(tradeNo, outcome);
  const done = isDeclined ? 'declined' : 'cancelled';
  const text = `Payout ${tradeNo} is ${done}: what it bound is in the balance again.`;
  process.stdout.write(`${json === true ? JSON.stringify({ trade_no: tradeNo, status: 'CANCEL' }) : text}\n`);
}
