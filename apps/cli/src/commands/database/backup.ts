// ducat backup: notes that a backup has ended or that a restore was tried, and shows the state of both.
import { hostname, userInfo } from 'node:os';
import type { BackupKind } from '@ducat/core/backup/freshness';
import { type BackupMark, insertBackupMark } from '@ducat/gateway/db/tables/operating/backup-marks';
import { Command, InvalidArgumentError, Option } from 'commander';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { backupStateCommand } from './backup-state.ts';

interface MarkOptions extends ConfigOptions {
  readonly note: string;
}

interface DoneOptions extends MarkOptions {
  readonly kind: BackupKind;
  readonly bytes?: number;
}

/** The longest note, in characters. */
const MAX_NOTE = 200;

/** The commands, to be added to the program. */
export function backupCommand(): Command {
  const done = withMarkOptions(new Command('done'))
    .description(
      'say that a backup has ended: the last line of the script that makes it (docs/operate/backup.md)',
    )
    .addOption(
      new Option('--kind <kind>', 'a base backup, or a dump').choices(['base', 'dump']).default('base'),
    )
    .option('--bytes <n>', 'its size', sizeOf)
    .action(({ kind, bytes, ...options }: DoneOptions) => mark(options, { kind, bytes: bytes ?? null }));
  const tested = withMarkOptions(new Command('tested'))
    .description('say that a backup was restored on another machine, and that it held what it should')
    .action((options: MarkOptions) => mark(options, { kind: 'restore', bytes: null }));
  return new Command('backup')
    .description('note backups that have ended and restores that were tried, and show how they stand')
    .addCommand(done)
    .addCommand(tested)
    .addCommand(backupStateCommand());
}

function withMarkOptions(command: Command): Command {
  return withConfigOptions(command).option('--note <text>', 'such as where it lies', noteOf, '');
}

async function mark(options: MarkOptions, of: Pick<BackupMark, 'kind' | 'bytes'>): Promise<void> {
  await onSetup(options, ({ database, world }) =>
    database.transact((tx) =>
      insertBackupMark(tx, {
        ...of,
        atMs: world.nowMs(),
        markedBy: `${userName()}@${hostname()}`,
        note: options.note,
      }),
    ),
  );
  process.stdout.write('Noted.\n');
}

/** The name of the user, or its number, because a container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

function sizeOf(text: string): number {
  const bytes = Number(text);
  if (/^\d{1,16}$/.test(text) && Number.isSafeInteger(bytes)) return bytes;
  throw new InvalidArgumentError('a size is a whole number of bytes');
}

function noteOf(text: string): string {
  if (text.length <= MAX_NOTE && !/\p{Cc}/u.test(text)) return text;
  throw new InvalidArgumentError(`a note is one line of at most ${MAX_NOTE} characters`);
}
