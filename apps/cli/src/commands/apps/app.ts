// ducat app: opens apps of a merchant, changes their AppKeys and their settings.
import { Command, InvalidArgumentError, Option } from 'commander';
import { rotateAppKey } from '@ducat/gateway/flows/merchants/rotate-app-key';
import type { AppKind } from '@ducat/gateway/db/tables/apps';
import { CommandError } from '../../command-error.ts';
import { parseDuration } from '../../duration.ts';
import { openApp } from '../../open-app.ts';
import { webhookAddress } from '../../webhooks/webhook-address.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { appListCommand } from './app-list.ts';
import { appPageCommand } from './app-page.ts';
import { appSetCommand } from './app-set.ts';
import { appShowCommand } from './app-show.ts';
import { debtsCommand, repayCommand } from './debts.ts';
import { accountName } from '../merchant.ts';

interface CreateOptions extends ConfigOptions {
  readonly merchant: string;
  readonly name: string;
  readonly kind: AppKind;
  readonly callbackUrl?: string;
  readonly json?: true;
}

interface RotateOptions extends ConfigOptions {
  readonly grace: number;
  readonly json?: true;
}

const DAY_SECONDS = 86_400;
const MAX_GRACE_DAYS = 30;

/** The commands, to be added to the program. */
export function appCommand(): Command {
  const create = withConfigOptions(new Command('create'))
    .description('open an app; its AppKey is shown this once')
    .requiredOption('--merchant <id>', 'merchant that the app belongs to')
    .requiredOption('--name <name>', 'name of the app', accountName)
    .addOption(
      new Option('--kind <kind>', 'what it takes').choices(['PAYMENT', 'QR_CODE']).default('PAYMENT'),
    )
    .option('--callback-url <url>', 'where its webhooks go', webhookAddress)
    .option('--json', 'the result as JSON')
    .action(createApp);
  const rotate = withConfigOptions(new Command('rotate-key'))
    .description('give an app a new AppKey, shown this once; the old one works on for a while')
    .argument('<app_id>', 'AppId')
    .addOption(
      new Option('--grace <time>', 'how long the old key works on; 0 ends it at once, as after a leak')
        .argParser(grace)
        .default(DAY_SECONDS, '1d'),
    )
    .option('--json', 'the result as JSON')
    .action(rotateKey);
  return new Command('app')
    .description('open and show apps, change their AppKeys and their settings')
    .addCommand(create)
    .addCommand(appListCommand())
    .addCommand(appShowCommand())
    .addCommand(rotate)
    .addCommand(appSetCommand())
    .addCommand(appPageCommand())
    .addCommand(debtsCommand())
    .addCommand(repayCommand());
}

async function createApp(options: CreateOptions): Promise<void> {
  const { merchant: merchantId, name, kind, callbackUrl = null } = options;
  const made = await onSetup(options, (setup) => openApp(setup, { merchantId, name, kind, callbackUrl }));
  show(options, { app_id: made.appId, app_key: made.appKey });
}

async function rotateKey(appId: string, options: RotateOptions): Promise<void> {
  const appKey = await onSetup(options, async (setup) => {
    const { appKeys, database, world } = setup;
    await setup.checkMasterSecret();
    const made = appKeys.create(appId);
    const { sealedKey } = made;
    const rotation = { appId, sealedKey, nowMs: world.nowMs(), graceMs: options.grace * 1000 };
    const { outcome } = await database.transact((tx) => rotateAppKey(tx, rotation));
    if (outcome === 'app-unknown') throw new CommandError(`there is no app ${appId}`);
    return made.appKey;
  });
  show(options, { app_id: appId, app_key: appKey });
}

function show(
  options: { readonly json?: true },
  made: { readonly app_id: string; readonly app_key: string },
): void {
  const text = `AppId   ${made.app_id}\nAppKey  ${made.app_key}\n\n  The AppKey is shown this once. Keep it on the server.`;
  process.stdout.write(`${options.json === true ? JSON.stringify(made) : text}\n`);
}

function grace(text: string): number {
  const seconds = parseDuration(text);
  if (seconds > MAX_GRACE_DAYS * DAY_SECONDS) throw new InvalidArgumentError(`at most ${MAX_GRACE_DAYS}d`);
  return seconds;
}
