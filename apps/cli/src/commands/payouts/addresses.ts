// ducat payouts addresses: the list of addresses that an app may pay out to.
import { Command } from 'commander';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { listAddresses } from '@ducat/gateway/db/tables/payouts/payout-addresses';
import { type AddressChange, changeAddressList } from '@ducat/gateway/flows/payouts/change-address-list';
import { CommandError } from '../../command-error.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { timeText } from './payout-text.ts';

interface AddressesOptions extends ConfigOptions {
  readonly add?: string;
  readonly remove?: string;
  readonly label?: string;
  readonly by?: string;
  readonly json?: true;
}

const MAX_LISTED = 10_000;

/** The command, to be added to `ducat payouts`. */
export function addressesCommand(): Command {
  return withConfigOptions(new Command('addresses'))
    .description('show the address list of an app, and change it; it counts while the rules say so')
    .argument('<app_id>', 'AppId')
    .option('--add <address>', 'list an address, for all chains that have it; needs --label and --by')
    .option('--label <text>', 'whose it is')
    .option('--by <who>', 'who adds it')
    .option('--remove <address>', 'take an address off the list')
    .option('--json', 'the result as JSON')
    .action(changeThem);
}

async function changeThem(appId: string, options: AddressesOptions): Promise<void> {
  const list = await onSetup(options, async ({ database, world }) => {
    const change = changeOf(options, world.nowMs());
    if (change !== null) {
      const { outcome } = await database.transact((tx) => changeAddressList(tx, appId, change));
      if (outcome === 'app-unknown') throw new CommandError(`there is no app ${appId}`);
      if (outcome === 'unchanged') throw new CommandError('nothing changed: see the list');
    }
    return listAddresses(database.reader, appId, MAX_LISTED);
  });
  const rows = list.map(({ family, address, label, addedBy, addedAtMs }) => ({
    family,
    address: schemeOf(family).display(address),
    label,
    added_by: addedBy,
    added_time: Math.floor(addedAtMs / 1000),
  }));
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  const head = ['ADDRESS', 'LABEL', 'ADDED BY', 'ADDED'];
  const cells = rows.map((row) => [
    row.address,
    harmless(row.label),
    harmless(row.added_by),
    timeText(row.added_time),
  ]);
  const lines = rows.length === 0 ? ['No addresses are listed.'] : columns([head, ...cells]);
  process.stdout.write(`${lines.join('\n')}\n`);
}

function changeOf({ add, remove, label, by }: AddressesOptions, nowMs: number): AddressChange | null {
  if (add !== undefined && remove !== undefined) throw new CommandError('give --add or --remove, not both');
  if (remove !== undefined) return { remove: placeOf(remove) };
  if (add === undefined) return null;
  if (label === undefined || label.trim() === '' || by === undefined || by.trim() === '') {
    throw new CommandError('--add needs --label and --by');
  }
  return { add: { ...placeOf(add), label, addedBy: by, addedAtMs: nowMs } };
}

/** The family that an address is written for: EVM addresses begin with 0x, Tron addresses with T. */
function placeOf(text: string): { readonly family: string; readonly address: string } {
  const family = text.startsWith('0x') ? 'evm' : 'tron';
  const address = addressSchemes[family].canonical(text);
  if (address === null) throw new CommandError(`${text} is no address, or its checksum is wrong`);
  return { family, address };
}

function schemeOf(family: string) {
  return family === 'tron' ? addressSchemes.tron : addressSchemes.evm;
}
