// ducat audit: what is wrong inside the books; with --full everything is audited anew, from the first row.
import { Command } from 'commander';
import { auditAll } from '@ducat/gateway/db/reports/audit';
import { readAuditFindings } from '@ducat/gateway/db/tables/books/audit-findings';
import { readAuditMark } from '@ducat/gateway/db/tables/books/audit-marks';
import { settleAudit } from '@ducat/gateway/flows/checks/settle-audit';
import { showProgress } from '../../progress.ts';
import type { Setup } from '../../setup.ts';
import { paletteFor } from '../../terminal.ts';
import { type ConfigOptions, onSetup, withConfigOptions } from '../config-option.ts';
import { couldNotLook } from '../could-not-look.ts';

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

async function audit(options: AuditOptions): Promise<void> {
  const { findings, at } = await onSetup(options, async (setup) => {
    if (options.full === true) await auditEverything(setup);
    const { reader } = setup.database;
    const { position, atMs } = await readAuditMark(reader, 'entries');
    const found = await readAuditFindings(reader, MOST_FINDINGS);
    const ageS = atMs === 0 ? null : Math.max(0, Math.round((setup.world.nowMs() - atMs) / 1000));
    return { findings: found.map(({ finding }) => finding), at: { entry: position, age_s: ageS } };
  }).catch(couldNotLook);
  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ clean: findings.length === 0, findings, ...at }, null, 2)}\n`);
  } else {
    const { green, red, dim } = paletteFor(process.stdout);
    const upTo = at.age_s === null ? 'not begun' : `up to entry ${at.entry}, ${at.age_s} s ago`;
    const verdict =
      findings.length === 0 ? green('The books agree with themselves.') : red('The books do NOT agree.');
    process.stdout.write(
      `${[...findings.map((one) => `✗ ${one}`), `${verdict} ${dim(`(${upTo})`)}`].join('\n')}\n`,
    );
  }
  if (findings.length > 0) process.exitCode = 1;
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
