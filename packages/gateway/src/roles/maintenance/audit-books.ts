// Audits what was booked since the last audit: the loop reads no table from its beginning, however large the table is.
import {
  readAccountBatch,
  readEntryBatch,
  readSettledBlock,
  readTransferBatch,
} from '../../db/reports/audit/batches.ts';
import {
  findAboveFinal,
  findInAccounts,
  findInEntries,
  findInTransfers,
} from '../../db/reports/audit/find.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import { readAuditMark, transfersOf } from '../../db/tables/books/audit-marks.ts';
import { readAuditedUnits } from '../../db/tables/books/audited-balances.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import { noteNewestEntry } from '../../flows/checks/note-newest-entry.ts';
import { type AuditedStretch, recordAudit } from '../../flows/checks/record-audit.ts';
import type { IdleChains, RestBounds } from '../../runtime/idle-chains.ts';
import type { Log } from '../../runtime/log.ts';
import { Outage } from '../../runtime/outage.ts';
import type { World } from '../../runtime/world.ts';

/** How often the audit checks whether something was booked. */
const EVERY_MS = 30_000;
/** How much longer that takes while all chains are idle, and nothing is booked. */
const IDLE_REST: RestBounds = { least: 0, most: 30_000 };
/** The most batches of entries, and of transfers of a chain, in one round, so that a long backlog delays nothing else. */
const MOST_BATCHES = 50;

export interface BookAudit {
  /** Names of the chains. */
  readonly chains: readonly string[];
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly idle: Pick<IdleChains, 'rest'>;
  readonly log: Log;
}

/** Runs until the signal; an outage of the database leaves the round for the next time. */
export async function runBookAudit(audit: BookAudit, lease: HeldLease, signal: AbortSignal): Promise<void> {
  let account = 0;
  while (!signal.aborted) {
    try {
      account = await auditRound(audit, lease, account);
    } catch (error) {
      if (!(error instanceof Outage)) throw error;
      audit.log.warn({ error }, 'the books could not be audited this time');
    }
    await audit.world.sleep(EVERY_MS, signal);
    await audit.idle.rest(null, IDLE_REST, signal);
  }
}

/** Returns the account after which the next round goes on. */
export async function auditRound(audit: BookAudit, lease: HeldLease, account: number): Promise<number> {
  for (let batch = 0; batch < MOST_BATCHES; batch++) if (!(await auditEntries(audit, lease))) break;
  for (const chain of audit.chains) {
    for (let batch = 0; batch < MOST_BATCHES; batch++)
      if (!(await auditTransfers(audit, lease, chain))) break;
    await record(audit, lease, { kind: 'state' }, await findAboveFinal(audit.reader, chain));
  }
  return auditAccounts(audit, lease, account);
}

/** Audits one batch of entries. Returns whether more may be due at once. */
async function auditEntries(audit: BookAudit, lease: HeldLease): Promise<boolean> {
  const { reader, transact, world } = audit;
  const { position, next } = await readAuditMark(reader, 'entries');
  if (next <= position) {
    await transact((tx) => noteNewestEntry(tx, { lease, nowMs: world.nowMs() }));
    return false;
  }
  const batch = await readEntryBatch(reader, position, next);
  const findings = batch === null ? [] : await findInEntries(reader, batch);
  const stretch = { kind: 'entries', after: position, upTo: batch?.last ?? next } as const;
  return record(audit, lease, stretch, findings);
}

/** Audits one batch of a chain's settled transfers. Returns whether more may be due at once. */
async function auditTransfers(audit: BookAudit, lease: HeldLease, chain: string): Promise<boolean> {
  const { reader } = audit;
  const settled = await readSettledBlock(reader, chain);
  if (settled === null) return false;
  const mark = transfersOf(chain);
  const { position, atMs } = await readAuditMark(reader, mark);
  // Transfers that were settled before the first audit are left to a full audit.
  if (atMs === 0) {
    await record(audit, lease, { kind: 'transfers', mark, upTo: settled }, []);
    return false;
  }
  if (settled <= position) return false;
  const { transfers, last } = await readTransferBatch(reader, chain, position, settled);
  const findings = await findInTransfers(reader, transfers);
  return (await record(audit, lease, { kind: 'transfers', mark, upTo: last }, findings)) && last < settled;
}

async function auditAccounts(audit: BookAudit, lease: HeldLease, after: number): Promise<number> {
  const { reader } = audit;
  const { position, next } = await readAuditMark(reader, 'entries');
  const accountIds = await readAccountBatch(reader, after);
  const last = accountIds.at(-1);
  // Entries that are not audited yet would have to be summed up here, so the audit of entries catches up first.
  if (last === undefined || next > position) return 0;
  const units = await readAuditedUnits(reader, accountIds);
  await record(
    audit,
    lease,
    { kind: 'state' },
    await findInAccounts(reader, accountIds, { upTo: position, units }),
  );
  return last;
}

/** False where another process audits now. */
async function record(
  { transact, world, log }: BookAudit,
  lease: HeldLease,
  stretch: AuditedStretch,
  findings: readonly string[],
): Promise<boolean> {
  if (stretch.kind === 'state' && findings.length === 0) return true;
  const input = { lease, stretch, findings, nowMs: world.nowMs() };
  const added = await transact((tx) => recordAudit(tx, input));
  for (const finding of added ?? []) log.error({ finding }, 'the books do not agree with themselves');
  return added !== null;
}
