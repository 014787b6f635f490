// ducat audit: shows what is wrong inside the books. With --full it audits everything again, from the first row.
import { Command } from 'commander';
import { auditAll } from '@ducat/gateway/db/reports/audit';
import { readAuditFindings } from '@ducat/gateway/db/tables/books/audit-findings';
import { readAuditMark } from '@ducat/gateway/db/tables/books/audit-marks';
import { settleAudit } from '@ducat/gateway/flows/checks/settle-audit';
import { showProgress } from '../../progress.ts';
import type { Setup } from '../../setup.ts';
import { paletteFor } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { COULD_NOT_LOOK, couldNotLook } from '../could-not-look.ts';

interface AuditOptions extends ConfigOptions {
  readonly full?: true;
  readonly json?: true;
}

const MOST_FINDINGS = 10_000;

/** The command, to be added to the program. */
export function auditCommand(): Command {
  return withConfigOptions(new Command('audit'))
    .description(
      'show what the audit of the books has found; exit code 1 where it found something, 3 where it could not look',
    )
    .option('--full', 'audit all of the books anew, batch by batch, and forget what is right by now')
    .option('--json', 'the result as JSON')
    .action(audit);
}

interface Audited {
  readonly findings: readonly string[];
  readonly entry: number;
  /** Seconds since the audit was last up to date; null where no audit was made yet. */
  readonly ageS: number | null;
  /** Whether the audit was made now, from the first row. */
  readonly isFull: boolean;
}

async function audit(options: AuditOptions): Promise<void> {
  const audited = await onSetup(options, (setup) => look(setup, options.full === true)).catch(couldNotLook);
  const { findings, entry, ageS } = audited;
  const exitCode = exitCodeOf(audited);
  if (options.json === true) {
    const result = { clean: exitCode === 0, findings, entry, age_s: ageS };
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
  } else {
    process.stdout.write(`${[...findings.map((one) => `✗ ${one}`), verdict(audited)].join('\n')}\n`);
  }
  if (exitCode !== 0) process.exitCode = exitCode;
}

async function look(setup: Setup, isFull: boolean): Promise<Audited> {
  if (isFull) await auditEverything(setup);
  const { reader } = setup.database;
  const { position, atMs } = await readAuditMark(reader, 'entries');
  const found = await readAuditFindings(reader, MOST_FINDINGS);
  const ageS = atMs === 0 ? null : Math.max(0, Math.round((setup.world.nowMs() - atMs) / 1000));
  return { findings: found.map(({ finding }) => finding), entry: position, ageS, isFull };
}

/** Without findings, the exit code is 0 only where an audit was made: no findings without an audit mean nothing. */
function exitCodeOf({ findings, ageS, isFull }: Audited): number {
  if (findings.length > 0) return 1;
  return ageS === null && !isFull ? COULD_NOT_LOOK : 0;
}

function verdict(audited: Audited): string {
  const { green, red, yellow, dim } = paletteFor(process.stdout);
  const { entry, ageS, isFull } = audited;
  if (exitCodeOf(audited) === COULD_NOT_LOOK) {
    return `${yellow('Nothing is known of the books yet:')} no gateway has audited them. ducat audit --full does it now.`;
  }
  const isClean = audited.findings.length === 0;
  const words = isClean ? green('The books agree with themselves.') : red('The books do NOT agree.');
  const upTo = ageS === null || isFull ? 'all of them, now' : `up to entry ${entry}, ${ageS} s ago`;
  return `${words} ${dim(`(${upTo})`)}`;
}

async function auditEverything({ database, world }: Setup): Promise<void> {
  const progress = showProgress(process.stderr);
  const beganMs = world.nowMs();
  try {
    const full = await auditAll(database.reader, (what, rows) => progress.show(`${rows} ${what}`));
    await database.transact((tx) => settleAudit(tx, { ...full, beganMs, nowMs: world.nowMs() }), 'unhurried');
  } finally {
    progress.end();
  }
}
