// ducat payouts: creates, lists, shows, approves, declines and cancels payouts, and sets the rules of an app.
import { Command } from 'commander';
import { addressesCommand } from './addresses.ts';
import { approveCommand } from './approve.ts';
import { cancelCommand, declineCommand } from './cancel.ts';
import { codesCommand } from './codes.ts';
import { createCommand } from './create.ts';
import { endCommand } from './end.ts';
import { listCommand } from './list.ts';
import { outflowsCommand } from './outflows.ts';
import { rulesCommand } from './rules.ts';
import { showCommand } from './show.ts';

/** The commands, to be added to the program. */
export function payoutsCommand(): Command {
  return new Command('payouts')
    .description(
      'money that merchants send to addresses: create, list, approve, decline, cancel, and what apps may pay out',
    )
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(approveCommand())
    .addCommand(declineCommand())
    .addCommand(cancelCommand())
    .addCommand(endCommand())
    .addCommand(outflowsCommand())
    .addCommand(rulesCommand())
    .addCommand(codesCommand())
    .addCommand(addressesCommand());
}
