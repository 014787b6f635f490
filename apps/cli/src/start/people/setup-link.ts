// The set-up link of a demo that was started without a login.
import { openSetup } from '@ducat/gateway/compose/dashboard/open-setup';
import { readGatewayUse } from '@ducat/gateway/db/tables/access/setup-link';
import { CommandError } from '../../command-error.ts';
import { type Setup, withSetup } from '../../setup.ts';

const HAS_ACCOUNTS =
  'this demo has accounts, so there is nothing to set up. Take a folder of its own: npm start -- --set-up --state <folder>';

/** Refuses a demo that has accounts already. Throws a CommandError. */
export async function refuseAccounts({ database }: Setup): Promise<void> {
  if ((await readGatewayUse(database.reader)).hasPeople) throw new CommandError(HAS_ACCOUNTS);
}

/** Makes the set-up link. The link that the gateway has written into its log becomes invalid. */
export async function demoSetupLink(configPath: string): Promise<string> {
  const link = await withSetup(configPath, {}, ({ config, database, world }) =>
    openSetup({ transact: database.transact, world, url: config.dashboard.url, isDemo: true }),
  );
  if (link === null) throw new CommandError(HAS_ACCOUNTS);
  return link.url;
}
