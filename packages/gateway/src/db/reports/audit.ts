// The full audit: all of the books against themselves, from the first row to the last, in small statements.
import { type Amount, add, zero } from '@ducat/core/money/amount';
import type { Reader } from '../postgres/tx.ts';
import { fromNumeric, toNumeric } from '../tables/amounts.ts';
import { readAuditMark } from '../tables/books/audit-marks.ts';
import { readCursors } from '../tables/cursors.ts';
import {
  readAccountBatch,
  readEntryBatch,
  readFinalEventBatch,
  readOrderBatch,
  readPostedUnits,
  readSettledBlock,
  readTransferBatch,
} from './audit/batches.ts';
import {
  type AuditedUnits,
  findAboveFinal,
  findInAccounts,
  findInEntries,
  findInFinalEvents,
  findInOrders,
  findInTransfers,
  findUnbalanced,
} from './audit/find.ts';

/** What is audited, and how many rows of it so far. */
export type OnAudited = (what: 'entries' | 'transfers' | 'orders' | 'accounts', rows: number) => void;

export interface FullAudit {
  /** What is wrong, in words; empty when every sum agrees. */
  readonly findings: readonly string[];
  /** The sums of the postings, for the audit that goes on from here. */
  readonly audited: AuditedUnits;
}

/** Throws Outage if the database ends a statement, because books that were not read are not proven. */
export async function auditBooks(reader: Reader): Promise<readonly string[]> {
  return (await auditAll(reader)).findings;
}

export async function auditAll(reader: Reader, onAudited: OnAudited = () => undefined): Promise<FullAudit> {
  const { findings: inEntries, audited } = await auditEntries(reader, onAudited);
  const findings = [
    ...inEntries,
    ...(await auditTransfers(reader, onAudited)),
    ...(await auditOrders(reader, onAudited)),
    ...(await auditAccounts(reader, audited, onAudited)),
    ...(await findUnbalanced(reader)),
  ];
  return { findings: [...new Set(findings)], audited };
}

/** Sums postings up to the mark only, because newer entries may still appear below others. */
async function auditEntries(reader: Reader, onAudited: OnAudited): Promise<FullAudit> {
  const findings: string[] = [];
  const { position: upTo } = await readAuditMark(reader, 'entries');
  const sums = new Map<number, Amount>();
  let rows = 0;
  for (let after = 0; ; ) {
    const batch = await readEntryBatch(reader, after, Number.MAX_SAFE_INTEGER);
    if (batch === null) break;
    findings.push(...(await findInEntries(reader, batch)));
    const counted = batch.entryIds.filter((entryId) => entryId <= upTo);
    for (const { accountId, currencyId, units } of await readPostedUnits(reader, counted)) {
      const before = sums.get(accountId) ?? zero(currencyId);
      sums.set(accountId, add(before, fromNumeric(currencyId, units)));
    }
    after = batch.last;
    onAudited('entries', (rows += batch.entryIds.length));
  }
  const units = new Map([...sums].map(([accountId, sum]) => [accountId, toNumeric(sum)]));
  return { findings, audited: { upTo, units } };
}

async function auditTransfers(reader: Reader, onAudited: OnAudited): Promise<readonly string[]> {
  const findings: string[] = [];
  let rows = 0;
  for (const chain of (await readCursors(reader)).keys()) {
    findings.push(...(await findAboveFinal(reader, chain)));
    const upTo = (await readSettledBlock(reader, chain)) ?? -1;
    for (let after = -1; after < upTo; ) {
      const { transfers, last } = await readTransferBatch(reader, chain, after, upTo);
      findings.push(...(await findInTransfers(reader, transfers)));
      after = last;
      onAudited('transfers', (rows += transfers.chains.length));
    }
  }
  return findings;
}

async function auditOrders(reader: Reader, onAudited: OnAudited): Promise<readonly string[]> {
  const findings: string[] = [];
  let rows = 0;
  for (let after = ''; ; ) {
    const batch = await readOrderBatch(reader, after);
    const last = batch.at(-1);
    if (last === undefined) break;
    findings.push(...(await findInOrders(reader, batch)));
    after = last;
    onAudited('orders', (rows += batch.length));
  }
  for (let after = ''; ; ) {
    const batch = await readFinalEventBatch(reader, after);
    const last = batch.at(-1);
    if (last === undefined) return findings;
    findings.push(...(await findInFinalEvents(reader, batch)));
    after = last;
  }
}

async function auditAccounts(
  reader: Reader,
  audited: AuditedUnits,
  onAudited: OnAudited,
): Promise<readonly string[]> {
  const findings: string[] = [];
  let rows = 0;
  for (let after = 0; ; ) {
    const batch = await readAccountBatch(reader, after);
    const last = batch.at(-1);
    if (last === undefined) return findings;
    findings.push(...(await findInAccounts(reader, batch, audited)));
    after = last;
    onAudited('accounts', (rows += batch.length));
  }
}
