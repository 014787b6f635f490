// ducat backup state: age of backup, tried restore and WAL archive, the WAL receivers, and whether the signer has a seed.
import { archiveState, freshnessOf } from '@ducat/core/backup/freshness';
import {
  type ArchiverReport,
  readBackupReport,
  readWalReceivers,
  type WalReceivers,
} from '@ducat/gateway/db/reports/backup-report';
import type { BackupMark } from '@ducat/gateway/db/tables/operating/backup-marks';
import { Outage } from '@ducat/gateway/runtime/outage';
import { Command } from 'commander';
import type { Setup } from '../../setup.ts';
import { columns, harmless } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { couldNotLook } from '../could-not-look.ts';

interface StateOptions extends ConfigOptions {
  readonly json?: true;
}

/** The command, to be added to `ducat backup`. */
export function backupStateCommand(): Command {
  return withConfigOptions(new Command('state'))
    .description(
      'show how old backup, tried restore and WAL archive are; exit code 1 where one is too old, fails or never was, 3 where it could not look',
    )
    .option('--json', 'the result as JSON')
    .action(showState);
}

interface Line {
  readonly what: 'backup' | 'restore' | 'archive' | 'receivers' | 'seed';
  /** `fresh`, `old`, `never`, `failing`, `off`, `hidden`, `none`, `connected`, `there`, `away`. */
  readonly state: string;
  /** When the part was last in order; null where it never was, or where the question makes no sense. */
  readonly at: string | null;
  readonly note: string;
}

const HEAD = ['WHAT', 'STATE', 'LAST', 'DETAIL'];
const BAD: ReadonlySet<string> = new Set(['old', 'never', 'failing']);

async function showState(options: StateOptions): Promise<void> {
  const lines = await onSetup(options, look).catch(couldNotLook);
  if (options.json === true) process.stdout.write(`${JSON.stringify(lines, null, 2)}\n`);
  else {
    const rows = lines.map(({ what, state, at, note }) => [what, state, at ?? '', harmless(note)]);
    process.stdout.write(`${columns([HEAD, ...rows]).join('\n')}\n`);
  }
  if (lines.some(({ state }) => BAD.has(state))) process.exitCode = 1;
}

async function look(setup: Setup): Promise<readonly Line[]> {
  const { config, database, world } = setup;
  const { backupMs, restoreMs, archiveMs } = config.backups;
  const nowMs = world.nowMs();
  const { marks, archiver } = await readBackupReport(database.reader);
  const ofMark = (
    what: 'backup' | 'restore',
    mark: BackupMark | null,
    mostMs: number,
    command: string,
  ): Line => ({
    what,
    state: freshnessOf(mark?.atMs ?? null, mostMs, nowMs),
    at: timeText(mark?.atMs ?? null),
    note: mark === null ? `${command} says when there was one` : markText(mark),
  });
  return [
    ofMark('backup', marks.backup, backupMs, 'ducat backup done'),
    ofMark('restore', marks.restore, restoreMs, 'ducat backup tested'),
    {
      what: 'archive',
      state: archiveState(archiver, archiveMs, nowMs),
      at: timeText(archiver.archivedAtMs),
      note: archiverText(archiver),
    },
    receiversLine(await readWalReceivers(database.reader)),
    await seedLine(setup),
  ];
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

function markText({ kind, bytes, markedBy, note }: BackupMark): string {
  const size = bytes === null ? [] : [`${bytes} bytes`];
  return [
    ...(kind === 'restore' ? [] : [kind]),
    ...size,
    `by ${markedBy}`,
    ...(note === '' ? [] : [note]),
  ].join(', ');
}

function archiverText({ isOn, archivedFile, failedFile, failedAtMs, failures }: ArchiverReport): string {
  if (!isOn) return 'archive_mode is off';
  const failed = failedAtMs === null ? '' : `, the last of them ${failedFile} at ${timeText(failedAtMs)}`;
  return `${archivedFile === '' ? 'no file yet' : archivedFile}, ${failures} failures${failed}`;
}

function receiversLine({ role, receivers }: WalReceivers): Line {
  const line = { what: 'receivers', at: null } as const;
  if (receivers === null) {
    const note = `PostgreSQL does not show them to ${role}: GRANT pg_read_all_stats TO "${role}"`;
    return { ...line, state: 'hidden', note };
  }
  const texts = receivers.map(({ name, address, state, syncState, behindBytes }) => {
    const behind = behindBytes === null ? 'behind by what is not known' : `${behindBytes} bytes behind`;
    return `${[name, address].filter(Boolean).join(' at ')} ${state}, ${syncState}, ${behind}`;
  });
  return texts.length === 0
    ? { ...line, state: 'none', note: 'no standby and no streaming archive is connected' }
    : { ...line, state: 'connected', note: texts.join('; ') };
}

/** The line about the seed. Whether the 24 words are in a safe place is known to people alone. */
async function seedLine(setup: Setup): Promise<Line> {
  const line = { what: 'seed', at: null } as const;
  if (setup.config.signer === null) return { ...line, state: 'away', note: 'no [signer] is configured' };
  try {
    await setup.signer().accountPublicKey('evm', 0);
    return {
      ...line,
      state: 'there',
      note: 'the signer has its seed; where the words lie is not known here',
    };
  } catch (error) {
    if (!(error instanceof Outage)) throw error;
    return { ...line, state: 'away', note: error.message };
  }
}
