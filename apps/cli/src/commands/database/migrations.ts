// ducat database migrations: what the next start would migrate, and whether older processes may keep running meanwhile.
import { Command } from 'commander';
import {
  olderRunsText,
  type PendingMigrations,
  readPendingMigrations,
  waitsText,
} from '@ducat/gateway/db/postgres/migrations/pending-migrations';
import { CommandError } from '../../command-error.ts';
import { columns } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';

interface MigrationsOptions extends ConfigOptions {
  readonly rolling?: true;
  readonly json?: true;
}

/** The command, to be added to `ducat database`. */
export function migrationsCommand(): Command {
  return withConfigOptions(new Command('migrations'))
    .description(
      'list what the next start of this build would migrate; changes nothing (docs/operate/upgrade.md)',
    )
    .option('--rolling', 'end with exit code 1 where all older processes have to be stopped first')
    .option('--json', 'as JSON')
    .action(showMigrations);
}

async function showMigrations(options: MigrationsOptions): Promise<void> {
  const pending = await onSetup(options, ({ database }) => readPendingMigrations(database.reader));
  const text = options.json === true ? JSON.stringify(pending.pending, null, 2) : pendingText(pending);
  process.stdout.write(`${text}\n`);
  const alone = aloneOf(pending);
  if (options.rolling === true && alone.length > 0)
    throw new CommandError(`stop every older process before the new one starts: ${alone.join(', ')}`);
}

/** The migrations during which no older process may run. An empty database has no older processes. */
function aloneOf({ isFirst, pending }: PendingMigrations): readonly string[] {
  return isFirst ? [] : pending.filter(({ olderRuns }) => olderRuns === 'no').map(({ name }) => name);
}

function pendingText(migrations: PendingMigrations): string {
  const { isFirst, pending } = migrations;
  if (pending.length === 0) return 'Nothing is pending.';
  if (isFirst)
    return `The database is empty: the first start makes all of it, in ${pending.length} migrations.`;
  const rows = pending.map((migration) => [
    migration.name,
    `older processes ${olderRunsText(migration)}`,
    waitsText(migration),
  ]);
  const end =
    aloneOf(migrations).length > 0
      ? 'Stop every older process first, then start this build.'
      : 'Processes may be updated one after the other.';
  return [...columns(rows), '', `${end} Nothing was changed.`].join('\n');
}
