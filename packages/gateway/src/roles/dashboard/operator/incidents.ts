// Everything that waits for an operator, gathered from the rows in which it was written down.
import type { ResponseOf } from '@ducat/contract/dashboard/registry';
import { archiveState, freshnessOf } from '@ducat/core/backup/freshness';
import { readBackupReport } from '../../../db/reports/backup-report.ts';
import { type BooksReport, readBooksReport } from '../../../db/reports/books-report.ts';
import { readChainStates } from '../../../db/reports/dashboard/operator/chain-states.ts';
import { readStoppedSenders } from '../../../db/reports/dashboard/operator/reserves-report.ts';
import { readOutgoingReport } from '../../../db/reports/outgoing-report.ts';
import { answer, type Handler } from '../call.ts';
import type { DashboardDeps } from '../port.ts';
import { readTexts, seconds, secondsOrNull, type Texts } from '../texts.ts';
import { MAX_HEAD_AGE_S } from './chains.ts';

/** The dependencies and the time of one look. */
interface Looking {
  readonly deps: DashboardDeps;
  readonly nowMs: number;
}

type Incident = ResponseOf<'incidents.list'>['incidents'][number];

/** The audit follows the journal within minutes; later than this, it does not run. */
const AUDIT_LATE_MS = 3_600_000;
/** For a shorter time, a transaction may just wait for its turn or for the price of gas. */
const STUCK_MS = 600_000;
const MOST_SENDERS = 100;

export const handleIncidents: Handler<'incidents.list'> = async ({ deps, nowMs }) =>
  answer({ now: seconds(nowMs), incidents: await findIncidents(deps, nowMs) });

/** The gravest kinds first. */
export async function findIncidents(deps: DashboardDeps, nowMs: number): Promise<Incident[]> {
  const call = { deps, nowMs };
  const texts = await readTexts(deps);
  const chains = deps.catalogue.chains().flatMap(({ definition, on }) => (on ? [definition.name] : []));
  const books = await readBooksReport(deps.reader, chains);
  return [
    ...ofBooks(call, books, texts),
    ...(await ofOutgoing(call, texts)),
    ...(await ofChains(call, chains)),
    ...(await ofAdditions(call)),
    ...(await ofBackups(call)),
    ...ofCurrencies(call, books),
  ];
}

/** The currency as people know it: "USDT on ETH". */
function currencyText({ deps: { catalogue } }: Looking, currencyId: number): string {
  const found = catalogue.find(currencyId);
  return found === null ? String(currencyId) : `${found.currency.symbol} on ${found.chain.name}`;
}

function ofBooks(call: Looking, books: BooksReport, texts: Texts): readonly Incident[] {
  const { audit, differences, outflows, checks } = books;
  const name = (currencyId: number) => currencyText(call, currencyId);
  const isLate = audit.atMs !== 0 && call.nowMs - audit.atMs > AUDIT_LATE_MS;
  const contradiction = { kind: 'books-contradict' as const, subject: '', since: null };
  return [
    ...(audit.findings > 0 ? [{ ...contradiction, detail: String(audit.findings) }] : []),
    ...outflows.map(({ currencyId, total }) => ({
      kind: 'outflow-unexplained' as const,
      subject: name(currencyId),
      detail: texts.amount(total),
      since: null,
    })),
    ...differences.map(({ currencyId, total }) => ({
      kind: 'balances-differ' as const,
      subject: name(currencyId),
      detail: texts.amount(total),
      since: null,
    })),
    ...(isLate ? [{ kind: 'audit-late' as const, subject: '', detail: '', since: seconds(audit.atMs) }] : []),
    ...checks.flatMap(({ currencyId, trouble, troubleSinceMs }) =>
      trouble === null
        ? []
        : [
            {
              kind: 'balances-unasked' as const,
              subject: name(currencyId),
              detail: trouble,
              since: secondsOrNull(troubleSinceMs),
            },
          ],
    ),
  ];
}

async function ofOutgoing({ deps, nowMs }: Looking, texts: Texts): Promise<readonly Incident[]> {
  const { work, senders } = await readOutgoingReport(deps.reader, nowMs);
  const stopped = await readStoppedSenders(deps.reader, MOST_SENDERS);
  return [
    ...senders.flatMap(({ chain, mismatched }) =>
      mismatched === 0
        ? []
        : [
            {
              kind: 'transaction-mismatched' as const,
              subject: chain,
              detail: String(mismatched),
              since: null,
            },
          ],
    ),
    ...stopped.map(({ chain, address, stoppedReason, stoppedAtMs }) => ({
      kind: 'sender-stopped' as const,
      subject: `${chain} ${texts.address(chain, address)}`,
      detail: stoppedReason ?? '',
      since: secondsOrNull(stoppedAtMs),
    })),
    ...work.flatMap(({ chain, troubledMs }) =>
      troubledMs === null || nowMs - troubledMs < STUCK_MS
        ? []
        : [
            {
              kind: 'transaction-stuck' as const,
              subject: chain,
              detail: '',
              since: seconds(troubledMs),
            },
          ],
    ),
  ];
}

async function ofChains(
  { deps: { reader }, nowMs }: Looking,
  on: readonly string[],
): Promise<readonly Incident[]> {
  const states = (await readChainStates(reader)).filter(({ chain }) => on.includes(chain));
  return states.flatMap(({ chain, haltedReason, headTime, updatedAtMs }): readonly Incident[] => {
    if (haltedReason !== null)
      return [{ kind: 'chain-paused', subject: chain, detail: haltedReason, since: seconds(updatedAtMs) }];
    if (headTime === null || seconds(nowMs) - headTime <= MAX_HEAD_AGE_S) return [];
    return [{ kind: 'chain-behind', subject: chain, detail: '', since: headTime }];
  });
}

async function ofAdditions({ deps }: Looking): Promise<readonly Incident[]> {
  const added = await deps.additions.list();
  return added.flatMap(({ name, leftOut }): readonly Incident[] => {
    if (leftOut === null || leftOut.isInFile) return [];
    return [{ kind: 'addition-left-out', subject: name, detail: leftOut.reason, since: null }];
  });
}

/** None for a demo, which is never restored. */
async function ofBackups({ deps, nowMs }: Looking): Promise<readonly Incident[]> {
  if (deps.demo) return [];
  const { marks, archiver } = await readBackupReport(deps.reader);
  const { backupMs, restoreMs, archiveMs } = deps.backupLimits;
  const incident = (kind: Incident['kind'], sinceMs: number | null, detail = ''): Incident => ({
    kind,
    subject: '',
    detail,
    since: secondsOrNull(sinceMs),
  });
  const backupAtMs = marks.backup?.atMs ?? null;
  const restoreAtMs = marks.restore?.atMs ?? null;
  const archive = archiveState(archiver, archiveMs, nowMs);
  return [
    ...(archive === 'off' || archive === 'fresh'
      ? []
      : [incident('archive-stands', archiver.archivedAtMs, archiver.failedFile)]),
    ...(freshnessOf(backupAtMs, backupMs, nowMs) === 'fresh' ? [] : [incident('backup-missing', backupAtMs)]),
    ...(freshnessOf(restoreAtMs, restoreMs, nowMs) === 'fresh'
      ? []
      : [incident('restore-untried', restoreAtMs)]),
  ];
}

function ofCurrencies(call: Looking, { suspensions }: BooksReport): readonly Incident[] {
  return suspensions.map(({ currencyId, reason, sinceMs }) => ({
    kind: 'currency-suspended',
    subject: currencyText(call, currencyId),
    detail: reason,
    since: seconds(sinceMs),
  }));
}
