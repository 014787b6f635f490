// ducat database: shows pending migrations, and partitions the large tables while no gateway runs.
import { Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_HASH_PARTITIONS } from '@ducat/gateway/db/partitions/layout';
import {
  partitionDatabase,
  planPartitions,
  readOthersConnected,
  type TablePlan,
} from '@ducat/gateway/db/partitions/partition-database';
import { CommandError } from '../../command-error.ts';
import type { Setup } from '../../setup.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { migrationsCommand } from './migrations.ts';

interface PartitionOptions extends ConfigOptions {
  readonly plan?: true;
  readonly apply?: true;
  readonly transferPartitions: number;
  readonly anyway?: true;
  readonly json?: true;
}

const MAX_HASH_PARTITIONS = 256;

/** The commands, to be added to the program. */
export function databaseCommand(): Command {
  const partition = withConfigOptions(new Command('partition'))
    .description(
      'cut the large tables into partitions, while all gateways are stopped (docs/operate/large-tables.md)',
    )
    .option('--plan', 'say what would be done; changes nothing')
    .option('--apply', 'do it; may be broken off and called again')
    .addOption(
      new Option('--transfer-partitions <n>', 'into how many partitions transfers are cut, for ever')
        .argParser(countOf)
        .default(DEFAULT_HASH_PARTITIONS),
    )
    .option('--anyway', 'although other programs are connected, none of which is a gateway')
    .option('--json', 'the plan as JSON')
    .action(partitionThem);
  return new Command('database')
    .description('look after the database')
    .addCommand(partition)
    .addCommand(migrationsCommand());
}

async function partitionThem(options: PartitionOptions): Promise<void> {
  if ((options.plan === true) === (options.apply === true)) throw new CommandError('give --plan or --apply');
  await onSetup(options, (setup) =>
    options.plan === true ? showPlan(setup, options) : apply(setup, options),
  );
}

async function showPlan({ database, world }: Setup, options: PartitionOptions): Promise<void> {
  const plans = await planPartitions(database.reader, settingsOf(world, options));
  process.stdout.write(`${options.json === true ? JSON.stringify(plans, null, 2) : planText(plans)}\n`);
}

async function apply({ database, world }: Setup, options: PartitionOptions): Promise<void> {
  const others = await readOthersConnected(database.reader);
  if (others.length > 0 && options.anyway !== true) {
    throw new CommandError(
      `stop all gateways first. Connected to the database: ${others.join(', ')}. Where none of them is a gateway: --anyway`,
    );
  }
  await partitionDatabase(database, settingsOf(world, options), (line) =>
    process.stdout.write(`${new Date(world.nowMs()).toISOString()} ${line}\n`),
  );
  process.stdout.write('Partitioned. Start the gateways again.\n');
}

function settingsOf(world: Setup['world'], { transferPartitions }: PartitionOptions) {
  return { nowMs: world.nowMs(), hashPartitions: transferPartitions };
}

function planText(plans: readonly TablePlan[]): string {
  const rows = plans.map(({ table, state, rows: count, bytes, partitions }) => [
    table,
    state,
    `about ${count} rows`,
    sizeText(bytes),
    partitions.length === 0
      ? ''
      : `${partitions.length} partitions, ${partitions[0]} to ${partitions.at(-1)}`,
  ]);
  const left = plans.filter(({ state }) => state !== 'partitioned');
  const most = Math.max(0, ...left.map(({ bytes }) => bytes));
  const notes =
    left.length === 0
      ? ['All of them are partitioned.']
      : [
          `Needed on the disk beside what is there: ${sizeText(most)} for the largest table, and as much for its journal.`,
          'Nothing was changed. --apply does it, while all gateways are stopped.',
        ];
  return [...columns(rows), '', ...notes].join('\n');
}

function sizeText(bytes: number): string {
  return bytes < 10 * 1024 ** 2 ? `${Math.ceil(bytes / 1024)} KiB` : `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

function countOf(text: string): number {
  const count = Number(text);
  if (/^\d{1,3}$/.test(text) && count >= 2 && count <= MAX_HASH_PARTITIONS) return count;
  throw new InvalidArgumentError(`a number from 2 to ${MAX_HASH_PARTITIONS}`);
}
