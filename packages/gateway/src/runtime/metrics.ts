// What Prometheus is told: one registry, and the observers that the roles are handed.
import { unitsOf } from '@ducat/core/money/amount';
import { collectDefaultMetrics, Registry } from 'prom-client';
import type { RpcObserver } from '../chains/rpc/rpc-observer.ts';
import type { RateObserver } from '../rates/market.ts';
import type { ApiObserver } from '../roles/api/api-deps.ts';
import type { BookCheck } from '../roles/maintenance/check-books.ts';
import type { WatcherObserver } from '../roles/watcher/observer.ts';
import type { Depths } from '../db/reports/depths.ts';
import { chainMetrics, rpcObservers } from './chain-metrics.ts';
import { counter, gauge, histogram } from './metric-kinds.ts';

export interface Metrics {
  readonly watcher: WatcherObserver;
  readonly api: ApiObserver;
  readonly rpc: (chain: string) => RpcObserver;
  readonly rates: RateObserver;
  readonly onWebhook: (attempt: { readonly outcome: string; readonly durationMs: number }) => void;
  readonly onBookCheck: (check: BookCheck) => void;
  /** Whether this process is the one that compares the books with the chains. */
  readonly onBookLease: (held: boolean) => void;
  /** A broken assertion ended a request, or a round of maintenance. */
  readonly onBug: () => void;
  /** Chains whose gaps are counted at each scrape. */
  readonly watchGaps: (chains: readonly GapsOfChain[]) => void;
  /** The exposition text; `depths` and `now` (Unix seconds) are read at the scrape. */
  readonly expose: (depths: Depths | null, now: number) => Promise<string>;
  readonly contentType: string;
}

export interface GapsOfChain {
  readonly definition: { readonly name: string };
  gaps(): readonly string[];
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'ducat_' });
  const chains = chainMetrics(registry);
  const queues = queueMetrics(registry);
  const bugs = counter(registry, 'ducat_bugs_total', 'Broken assertions that ended a request or a round', []);
  const gaps = gauge(registry, 'ducat_chain_gaps', "What a chain's nodes cannot show, counted", ['chain']);
  const gapsOf: GapsOfChain[] = [];
  return {
    watcher: chains.observer,
    api: apiObserver(registry),
    rpc: rpcObservers(registry),
    rates: rateObserver(registry),
    onWebhook: webhookObserver(registry),
    ...bookObservers(registry),
    onBug: () => bugs.inc(),
    watchGaps: (chains) => void gapsOf.push(...chains),
    expose: (depths, now) => {
      for (const one of gapsOf) gaps.set({ chain: one.definition.name }, one.gaps().length);
      chains.age(now);
      if (depths !== null) queues(depths);
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

function apiObserver(registry: Registry): ApiObserver {
  const answers = counter(registry, 'ducat_api_answers_total', 'Answers', ['operation', 'code', 'status']);
  const seconds = histogram(registry, 'ducat_api_seconds', 'Time to the answer', ['operation']);
  return {
    answered: ({ operation, code, httpStatus, durationMs }) => {
      answers.inc({ operation, code: String(code), status: String(httpStatus) });
      seconds.observe({ operation }, durationMs / 1000);
    },
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

function bookObservers(registry: Registry): Pick<Metrics, 'onBookCheck' | 'onBookLease'> {
  const troubles = gauge(registry, 'ducat_books_troubles', 'Sums in the books that do not agree', []);
  const unexplained = gauge(registry, 'ducat_books_unexplained_units', 'Chain less ledger, in base units', [
    'chain',
    'currency_id',
  ]);
  const astray = gauge(
    registry,
    'ducat_books_astray_units',
    'Differences between ledger and chain, address by address, added up without their signs, in base units',
    ['chain', 'currency_id'],
  );
  const held = gauge(registry, 'ducat_books_lease_held', '1 in the process that checks the books', []);
  const onBookLease = (isHeld: boolean) => {
    held.set(isHeld ? 1 : 0);
    if (isHeld) return;
    // The new holder tells what is wrong; here it would stand for ever.
    troubles.set(0);
    unexplained.reset();
    astray.reset();
  };
  const onBookCheck = (check: BookCheck) => {
    troubles.set(check.troubles.length);
    for (const { chain, currencies } of check.chains) {
      for (const currency of currencies) {
        const labels = { chain, currency_id: String(currency.currencyId) };
        // A gauge is a floating-point number: enough to alarm on, never to book from.
        unexplained.set(labels, Number(unitsOf(currency.unexplained)));
        astray.set(labels, Number(unitsOf(currency.astray)));
      }
    }
  };
  return { onBookCheck, onBookLease };
}

function queueMetrics(registry: Registry): (depths: Depths) => void {
  const depth = gauge(registry, 'ducat_queue_depth', 'Rows that wait, counted up to 100000', ['queue']);
  return (depths) => {
    for (const [queue, rows] of Object.entries(depths)) depth.set({ queue }, Number(rows));
  };
}
