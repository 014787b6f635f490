// ducat payouts codes: requires one-time codes for the payouts of an app, or no longer requires them.
import { Command, Option } from 'commander';
import { createOneTimeCodes } from '@ducat/gateway/keys/one-time-codes';
import { setCodeSecret } from '@ducat/gateway/flows/payouts/codes/set-code-secret';
import { CommandError } from '../../command-error.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface CodesOptions extends ConfigOptions {
  readonly on?: true;
  readonly off?: true;
  readonly json?: true;
}

/** The command, to be added to `ducat payouts`. */
export function codesCommand(): Command {
  return withConfigOptions(new Command('codes'))
    .description('ask the payouts of an app for one-time codes (otp_code); the secret is shown this once')
    .argument('<app_id>', 'AppId')
    .addOption(new Option('--on', 'a new secret; one from before is good for nothing').conflicts('off'))
    .option('--off', 'ask for codes no longer')
    .option('--json', 'the result as JSON')
    .action(setThem);
}

async function setThem(appId: string, { on, off, json, ...where }: CodesOptions): Promise<void> {
  if (on === undefined && off === undefined) throw new CommandError('say --on or --off');
  const setupUrl = await onSetup(where, async (setup) => {
    await setup.checkMasterSecret();
    const { config, database, world } = setup;
    const made = on === undefined ? null : createOneTimeCodes({ ...config, world }).create(appId);
    const { outcome } = await database.transact((tx) => setCodeSecret(tx, appId, made?.sealed ?? null));
    if (outcome === 'app-unknown') throw new CommandError(`there is no app ${appId}`);
    return made?.setupUrl ?? null;
  });
  if (json === true) {
    process.stdout.write(`${JSON.stringify({ app_id: appId, otpauth_url: setupUrl })}\n`);
    return;
  }
  const text =
    setupUrl === null
      ? `Payouts of ${appId} are made without one-time codes.`
      : `${setupUrl}\n\n  Give this address to an authenticator. It is shown this once.`;
  process.stdout.write(`${text}\n`);
}
