// Metrics of the checks of the books, taken from their rows at each scrape.
import type { Amount } from '@ducat/core/money/amount';
import { coverageOf } from '@ducat/core/reserves/plan';
import type { Registry } from 'prom-client';
import type { BooksReport } from '../../db/reports/books-report.ts';
import { gauge, inTokens } from './metric-kinds.ts';

/** Shows a report. Null means that the database gave none; then nothing is shown, because an old figure says nothing. */
export type ShowBooks = (
  report: BooksReport | null,
  now: { readonly nowMs: number; readonly roundMs: number },
) => void;

const labels: ('chain' | 'currency' | 'currency_id')[] = ['chain', 'currency', 'currency_id'];

/** Empty until the first report. */
function booksGauges(registry: Registry) {
  const difference = gauge(
    registry,
    'ducat_reserve_difference',
    'Differences between balances and books, added up without their signs, in whole tokens',
    labels,
  );
  const differing = gauge(registry, 'ducat_reserve_differing_addresses', 'Addresses that differ', labels);
  const share = gauge(
    registry,
    'ducat_reserve_checked_share',
    'Share of the used addresses that were compared within checks.round_hours, 0 to 1',
    labels,
  );
  const oldest = gauge(
    registry,
    'ducat_reserve_oldest_check_seconds',
    'No used address was compared longer ago than this; before the first round, how long that takes',
    labels,
  );
  const failing = gauge(
    registry,
    'ducat_reserve_could_not_ask_seconds',
    'For how long balances could not be asked for; 0 where the last attempt worked',
    labels,
  );
  const outflow = gauge(
    registry,
    'ducat_outflow_unexplained',
    'What left our addresses and nobody meant to send, in whole tokens',
    labels,
  );
  const suspended = gauge(registry, 'ducat_currency_suspended', '1 while a currency takes no new orders', [
    ...labels,
    'reason',
  ]);
  const findings = gauge(registry, 'ducat_audit_findings', 'What is wrong in the books, up to 1000', []);
  const age = gauge(registry, 'ducat_audit_age_seconds', 'Time since the audit was up to date', []);
  return { difference, differing, share, oldest, failing, outflow, suspended, findings, age };
}

export function booksMetrics(registry: Registry): ShowBooks {
  const gauges = booksGauges(registry);
  const { difference, differing, share, oldest, failing, outflow, suspended, findings, age } = gauges;
  return (report, { nowMs, roundMs }) => {
    for (const one of Object.values(gauges)) one.reset();
    if (report === null) return;
    const of = (currencyId: number) => labelsOf(report, currencyId);
    const tokens = (amount: Amount) =>
      inTokens(amount, report.currencies.get(amount.currencyId)?.decimals ?? 0);
    for (const { currencyId, beganMs, parts, trouble, troubleSinceMs } of report.checks) {
      const coverage = coverageOf(parts, nowMs, roundMs);
      share.set(of(currencyId), coverage.share);
      oldest.set(of(currencyId), secondsSince(coverage.oldestMs ?? beganMs, nowMs));
      failing.set(of(currencyId), troubleSinceMs === null ? 0 : secondsSince(troubleSinceMs, nowMs));
      // A difference is shown while it is known: after a full round, and as long as the last attempt worked.
      if (coverage.oldestMs === null || trouble !== null) continue;
      difference.set(of(currencyId), 0);
      differing.set(of(currencyId), 0);
    }
    for (const { currencyId, addresses, total } of report.differences) {
      difference.set(of(currencyId), tokens(total));
      differing.set(of(currencyId), addresses);
    }
    for (const { currencyId, total } of report.outflows) outflow.set(of(currencyId), tokens(total));
    for (const { currencyId, reason } of report.suspensions) suspended.set({ ...of(currencyId), reason }, 1);
    findings.set(report.audit.findings);
    age.set(secondsSince(report.audit.atMs, nowMs));
  };
}

function labelsOf({ currencies }: BooksReport, currencyId: number) {
  const { chain, symbol } = currencies.get(currencyId) ?? { chain: '', symbol: '' };
  return { chain, currency: symbol, currency_id: String(currencyId) };
}

function secondsSince(sinceMs: number, nowMs: number): number {
  return Math.max(0, (nowMs - sinceMs) / 1000);
}
