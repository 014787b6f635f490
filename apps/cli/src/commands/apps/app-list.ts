// ducat app list: which apps there are, of which merchants.
import { appStateOf } from '@ducat/core/access/app-state';
import { Command } from 'commander';
import { listApps } from '@ducat/gateway/db/tables/apps';
import { percentOf } from '../../percent.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

const MAX_APPS = 1_000;

interface ListOptions extends ConfigOptions {
  readonly json?: true;
}

/** The command, to be added to `app`. */
export function appListCommand(): Command {
  return withConfigOptions(new Command('list'))
    .description(`the apps, at most ${MAX_APPS}`)
    .option('--json', 'the result as JSON')
    .action(listThem);
}

async function listThem(options: ListOptions): Promise<void> {
  const apps = await onSetup(options, ({ database }) => listApps(database.reader, MAX_APPS));
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(apps)}\n`);
    return;
  }
  const rows = apps.map(({ appId, merchantId, name, kind, tolerancePpm, ...switches }) => [
    appId,
    merchantId,
    kind,
    appStateOf(switches),
    percentOf(BigInt(tolerancePpm)),
    harmless(name),
  ]);
  const head = ['App', 'Merchant', 'Kind', 'State', 'Tolerance', 'Name'];
  process.stdout.write(`${columns([head, ...rows]).join('\n')}\n`);
}
