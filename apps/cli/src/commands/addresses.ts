// ducat addresses: takes addresses out of use after a backup was restored.
import { Command, InvalidArgumentError, Option } from 'commander';
import { addressSchemes } from '@ducat/gateway/chains/address-schemes';
import { MAX_RETIRED_AHEAD, retireAddresses } from '@ducat/gateway/flows/addresses/retire-addresses';
import { skipAccountNumbers } from '@ducat/gateway/flows/addresses/skip-account-numbers';
import { readOthersConnected } from '@ducat/gateway/db/partitions/partition-database';
import { listPools, type PoolState } from '@ducat/gateway/db/tables/addresses';
import type { Reader } from '@ducat/gateway/db/postgres/tx';
import { CommandError } from '../command-error.ts';
import type { Setup } from '../setup.ts';
import { columns } from '../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from './config-option.ts';

interface RetireOptions extends ConfigOptions {
  readonly ahead: number;
  readonly appsAhead: number;
  readonly apply?: true;
  readonly anyway?: true;
  readonly json?: true;
}

const AHEAD = 1_000;
const APPS_AHEAD = 100;
const MAX_APPS_AHEAD = 10_000;
const MAX_POOLS = 10_000;

/** The commands, to be added to the program. */
export function addressesCommand(): Command {
  const retire = withConfigOptions(new Command('retire'))
    .description(
      'after a restored backup and before the gateway starts: no address that may be known is given again',
    )
    .addOption(
      new Option('--ahead <n>', 'so many orders of one app at the most were made after the backup')
        .argParser(countUpTo(MAX_RETIRED_AHEAD))
        .default(AHEAD),
    )
    .addOption(
      new Option('--apps-ahead <n>', 'so many apps at the most were made after the backup')
        .argParser(countUpTo(MAX_APPS_AHEAD))
        .default(APPS_AHEAD),
    )
    .option('--apply', 'do it; without this only what would be done is shown')
    .option('--anyway', 'although other programs are connected, none of which is a gateway')
    .option('--json', 'the result as JSON')
    .action(retireThem);
  return new Command('addresses').description('take addresses out of use').addCommand(retire);
}

interface Retired {
  readonly app_id: string;
  readonly family: string;
  /** The first index below the app's account that can be handed out. */
  readonly next_index: number;
}

async function retireThem(options: RetireOptions): Promise<void> {
  const isDone = options.apply === true;
  const retired = await onSetup(options, (setup) =>
    isDone ? retireAll(setup, options) : plan(setup, options),
  );
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify(retired)}\n`);
    return;
  }
  const rows = retired.map((one) => [one.app_id, one.family, `next index ${one.next_index}`]);
  const apps = new Set(retired.map(({ app_id }) => app_id)).size;
  const subject = `The addresses of ${apps} ${apps === 1 ? 'app' : 'apps'}`;
  const lines = isDone
    ? [
        `${subject} are retired: watched, and never handed out again.`,
        `The next ${options.appsAhead} account numbers are left out.`,
      ]
    : [
        `${subject} would be retired, and ${options.ahead} more of each derived as retired: none is handed out any more.`,
        `The next ${options.appsAhead} account numbers would be left out.`,
        'Nothing was changed. --apply does it, while all gateways are stopped; nothing takes it back.',
      ];
  process.stdout.write(`${[...columns(rows), ...lines].join('\n')}\n`);
}

/** The state that the command would leave; changes nothing. */
async function plan({ database: { reader } }: Setup, { ahead }: RetireOptions): Promise<readonly Retired[]> {
  const pools = await readPools(reader);
  return pools.map(({ appId, family, nextIndex }) => ({
    app_id: appId,
    family,
    next_index: nextIndex + ahead,
  }));
}

async function retireAll(
  { database: { reader, transact } }: Setup,
  { ahead, appsAhead, anyway }: RetireOptions,
): Promise<readonly Retired[]> {
  const others = await readOthersConnected(reader);
  if (others.length > 0 && anyway !== true) {
    throw new CommandError(
      `stop all gateways first, or they hand addresses out meanwhile. Connected to the database: ${others.join(', ')}. Where none of them is a gateway: --anyway`,
    );
  }
  const pools = await readPools(reader);
  await transact((tx) => skipAccountNumbers(tx, appsAhead));
  const retired: Retired[] = [];
  for (const { appId, family } of pools) {
    const scheme = addressSchemes[family];
    const derive = (key: string, index: number) => scheme.derive(key, index);
    const nextIndex = await transact((tx) => retireAddresses(tx, { appId, family, derive, ahead }));
    retired.push({ app_id: appId, family, next_index: nextIndex });
  }
  return retired;
}

async function readPools(reader: Reader): Promise<readonly PoolState[]> {
  const pools = await listPools(reader, MAX_POOLS + 1);
  if (pools.length > MAX_POOLS) throw new CommandError(`more than ${MAX_POOLS} pools`);
  return pools;
}

function countUpTo(most: number): (text: string) => number {
  return (text) => {
    if (/^\d{1,6}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`a number from 0 to ${most}`);
  };
}
