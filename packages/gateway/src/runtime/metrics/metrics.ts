// What Prometheus reads: one registry, and the observers that the roles are handed.
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { RpcObserver } from '../../chains/rpc/rpc-observer.ts';
import type { RateObserver } from '../../rates/market.ts';
import type { ApiObserver } from '../../roles/api/api-deps.ts';
import type { CollectorObserver } from '../../roles/collector/observer.ts';
import type { PayerObserver } from '../../roles/payer/observer.ts';
import type { WatcherObserver } from '../../roles/watcher/observer.ts';
import type { BackupReport } from '../../db/reports/backup-report.ts';
import type { BooksReport } from '../../db/reports/books-report.ts';
import type { Depths } from '../../db/reports/depths.ts';
import type { HoldingsReport } from '../../db/reports/holdings-report.ts';
import type { OutgoingReport } from '../../db/reports/outgoing-report.ts';
import { backupMetrics } from './backup-metrics.ts';
import { booksMetrics } from './books-metrics.ts';
import { chainMetrics, rpcObservers } from './chain-metrics.ts';
import { counter, gauge, histogram } from './metric-kinds.ts';
import { collectorMetrics } from './collector-metrics.ts';
import { payerMetrics } from './payer-metrics.ts';

export interface Metrics {
  readonly watcher: WatcherObserver;
  readonly payer: PayerObserver;
  readonly collector: CollectorObserver;
  readonly api: ApiObserver;
  readonly rpc: (chain: string) => RpcObserver;
  readonly rates: RateObserver;
  readonly onWebhook: (attempt: { readonly outcome: string; readonly durationMs: number }) => void;
  /** Whether this process is the one that checks the books. */
  readonly onChecksLease: (held: boolean) => void;
  /** A broken assertion ended a request, or a round of maintenance. */
  readonly onBug: () => void;
  /** The configured chains: their gaps are counted at each scrape, and what is frozen is shown of each. */
  readonly watchGaps: (chains: readonly GapsOfChain[]) => void;
  /** The exposition text, made at the scrape. */
  readonly expose: (scrape: Scrape) => Promise<string>;
  readonly contentType: string;
}

/** What is read for a scrape; null where the database gives no answer in time. */
export interface Scrape {
  readonly depths: Depths | null;
  readonly books: BooksReport | null;
  readonly outgoing: OutgoingReport | null;
  readonly backups: BackupReport | null;
  readonly holdings: HoldingsReport | null;
  readonly nowMs: number;
  /** The time within which each used address is compared. */
  readonly roundMs: number;
}

export interface GapsOfChain {
  readonly definition: { readonly name: string };
  gaps(): readonly string[];
}

/** How often the delay of the event loop is looked at. The default of 10 ms was two fifths of all wake-ups at rest. */
const LOOP_MS = 100;

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'ducat_', eventLoopMonitoringPrecision: LOOP_MS });
  const chains = chainMetrics(registry);
  const queues = queueMetrics(registry);
  const showBooks = booksMetrics(registry);
  const showBackups = backupMetrics(registry);
  const payer = payerMetrics(registry);
  const collector = collectorMetrics(registry);
  const checks = gauge(registry, 'ducat_checks_lease_held', '1 in the process that checks the books', []);
  const bugs = counter(registry, 'ducat_bugs_total', 'Broken assertions that ended a request or a round', []);
  const gaps = gauge(registry, 'ducat_chain_gaps', "What a chain's nodes cannot show, counted", ['chain']);
  const gapsOf: GapsOfChain[] = [];
  return {
    watcher: chains.observer,
    payer: payer.observer,
    collector: collector.observer,
    api: apiObserver(registry),
    rpc: rpcObservers(registry),
    rates: rateObserver(registry),
    onWebhook: webhookObserver(registry),
    onChecksLease: (held) => checks.set(held ? 1 : 0),
    onBug: () => bugs.inc(),
    watchGaps: (chains) => void gapsOf.push(...chains),
    expose: ({ depths, books, backups, outgoing, holdings, nowMs, roundMs }) => {
      for (const one of gapsOf) gaps.set({ chain: one.definition.name }, one.gaps().length);
      chains.age(Math.floor(nowMs / 1000));
      showBooks(books, { nowMs, roundMs });
      showBackups(backups, nowMs);
      if (depths !== null) queues(depths, nowMs);
      if (outgoing !== null) payer.show(outgoing, nowMs);
      if (holdings !== null) collector.show(holdings, nowMs, namesOf(gapsOf));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

const namesOf = (chains: readonly GapsOfChain[]) => chains.map(({ definition }) => definition.name);

function apiObserver(registry: Registry): ApiObserver {
  const answers = counter(registry, 'ducat_api_answers_total', 'Answers', ['operation', 'code', 'status']);
  const seconds = histogram(registry, 'ducat_api_seconds', 'Time to the answer', ['operation']);
  const lost = counter(
    registry,
    'ducat_api_call_lines_lost_total',
    'Lines of the log of calls without room',
    [],
  );
  return {
    answered: ({ operation, code, httpStatus, durationMs }) => {
      answers.inc({ operation, code: String(code), status: String(httpStatus) });
      seconds.observe({ operation }, durationMs / 1000);
    },
    lostCallLines: (lines) => lost.inc(lines),
  };
}

function rateObserver(registry: Registry): RateObserver {
  const answers = counter(registry, 'ducat_rate_answers_total', 'Questions to sources of prices', [
    'source',
    'ok',
  ]);
  const up = gauge(registry, 'ducat_rate_source_up', '1 while the last question was answered with prices', [
    'source',
  ]);
  const prices = gauge(registry, 'ducat_rate_prices', 'Prices in the last answer', ['source']);
  const refused = counter(registry, 'ducat_rate_refused_total', 'Single prices that were nonsense', [
    'source',
  ]);
  const newest = gauge(
    registry,
    'ducat_rate_newest_timestamp_seconds',
    'The time that a source gave its newest price',
    ['source'],
  );
  return {
    onRateAnswer: (answer) => {
      const { source } = answer;
      answers.inc({ source, ok: String(answer.ok) });
      up.set({ source }, answer.ok ? 1 : 0);
      prices.set({ source }, answer.prices);
      refused.inc({ source }, answer.refused.length);
      if (answer.newestAt !== null) newest.set({ source }, answer.newestAt);
    },
  };
}

function webhookObserver(registry: Registry): Metrics['onWebhook'] {
  const attempts = counter(registry, 'ducat_webhook_attempts_total', 'Webhook attempts', ['outcome']);
  const seconds = histogram(registry, 'ducat_webhook_seconds', 'Time of a webhook attempt', ['outcome']);
  return ({ outcome, durationMs }) => {
    attempts.inc({ outcome });
    seconds.observe({ outcome }, durationMs / 1000);
  };
}

function queueMetrics(registry: Registry): (depths: Depths, nowMs: number) => void {
  const depth = gauge(registry, 'ducat_queue_depth', 'Rows that wait, counted up to 100000', ['queue']);
  const due = gauge(
    registry,
    'ducat_webhook_due_seconds',
    'For how long a webhook is due that nobody sends; 0 where none is',
    [],
  );
  const pool = gauge(
    registry,
    'ducat_smallest_pool_addresses',
    'Free addresses of the smallest pool of an app that may take orders, counted up to 20',
    [],
  );
  // A gauge without labels begins at 0, which would be an empty pool.
  pool.remove();
  return ({ firstDueMs, smallestPool, ...queues }, nowMs) => {
    for (const [queue, rows] of Object.entries(queues)) depth.set({ queue }, Number(rows));
    due.set(firstDueMs === null ? 0 : Math.max(0, nowMs - firstDueMs) / 1000);
    if (smallestPool === null) pool.remove();
    else pool.set(smallestPool);
  };
}
