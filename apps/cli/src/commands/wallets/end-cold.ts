// ducat wallets end-cold: books a transfer to cold storage that the books lack, by its receipt at the cold address.
import { Command } from 'commander';
import {
  type AdoptedColdTransfer,
  adoptColdTransfer,
} from '@ducat/gateway/flows/collections/adopt-cold-transfer';
import { newColdTransferId } from '@ducat/gateway/runtime/ids';
import { CommandError } from '../../command-error.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { readTransaction } from '../senders/read-transaction.ts';
import { receiptIdentity } from '../books/receipt-identity.ts';

interface EndColdOptions extends ConfigOptions {
  readonly by: string;
  readonly why: string;
}

/** The command, to be added to `ducat wallets`. */
export function endColdCommand(): Command {
  return withConfigOptions(new Command('end-cold'))
    .description(
      'book what reached cold storage and no transfer of the books sent, as after a restored backup',
    )
    .argument('<transfer>', 'the outflow, as `ducat payouts outflows` lists it: chain/transaction/position')
    .requiredOption('--by <who>', 'who decides that; kept for ever')
    .requiredOption('--why <text>', 'why, such as a ticket; kept for ever')
    .action(endIt);
}

async function endIt(typed: string, options: EndColdOptions): Promise<void> {
  const { by, why: reason } = options;
  if (by.trim() === '' || reason.trim() === '') throw new CommandError('--by and --why must not be empty');
  const found = receiptIdentity(typed);
  const [ended, coldTransferId] = await onSetup(options, async (setup) => {
    const { database, world } = setup;
    const id = newColdTransferId(world);
    const shown = await readTransaction(setup, found);
    if (shown === null) return ['no-such-outflow', id] as const;
    const input = { found, ...shown, coldTransferId: id, by, reason, nowMs: world.nowMs() };
    return [await database.transact((tx) => adoptColdTransfer(tx, input)), id] as const;
  });
  if (ended !== 'ended') throw new CommandError(`${typed} ${refusals[ended]}`);
  process.stdout.write(`${typed} lies in cold storage, kept as ${coldTransferId}. Resume its currency.\n`);
}

const refusals: Readonly<Record<Exclude<AdoptedColdTransfer, 'ended'>, string>> = {
  'no-such-outflow':
    'is no outflow (a final transfer out of a wallet that no transaction of the books sent), or it ended a transfer or a payout already',
  'not-cold': 'went to no address that the gateway was ever started with as cold',
  'on-its-way':
    'is what an open transfer of the same wallet promises, of which other bytes may still be included: see ducat senders list, and wait for its end',
};
