// What Prometheus is told: one registry, and the observers that the roles are handed.
import { unitsOf } from '@ducat/core/money/amount';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { RpcObserver } from '../chains/endpoint/rpc-observer.ts';
import type { RateObserver } from '../rates/market.ts';
import type { ApiObserver } from '../roles/api/api-deps.ts';
import type { BookCheck } from '../roles/maintenance/check-books.ts';
import type { WatcherObserver } from '../roles/watcher/observer.ts';
import type { Depths } from '../db/reports/depths.ts';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

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

/** Names follow Prometheus' rules: unit last, `_total` for counters, base units. */
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

function gauge<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
): Gauge<Label> {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

function counter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
): Counter<Label> {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function histogram<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: Label[],
): Histogram<Label> {
  return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [registry] });
}

function registerChains(registry: Registry) {
  const head = gauge(registry, 'ducat_chain_head_block', 'Newest block of the chain', ['chain']);
  const accepted = gauge(registry, 'ducat_chain_accepted_block', 'Newest block in the books', ['chain']);
  const final = gauge(registry, 'ducat_chain_final_block', 'Newest final block', ['chain']);
  const lag = gauge(registry, 'ducat_chain_lag_blocks', 'Blocks between the chain and the books', ['chain']);
  const lagSeconds = gauge(registry, 'ducat_chain_lag_seconds', 'Age of the newest block in the books', [
    'chain',
  ]);
  const skew = gauge(
    registry,
    'ducat_clock_skew_seconds',
    'How far the newest block in the books lies ahead of our clock; 0 where it does not',
    ['chain'],
  );
  const halted = gauge(registry, 'ducat_chain_halted', '1 while a chain waits for a human', ['chain']);
  const reorgs = counter(registry, 'ducat_reorgs_total', 'Forks undone', ['chain']);
  const depth = gauge(registry, 'ducat_reorg_depth_blocks', 'Depth of the last fork undone', ['chain']);
  const outages = counter(registry, 'ducat_chain_outages_total', 'Steps that found no believable answer', [
    'chain',
    'kind',
  ]);
  const endpoints = gauge(registry, 'ducat_endpoint_healthy', '1 while a node is asked and believed', [
    'chain',
    'endpoint',
  ]);
  const transfers = counter(registry, 'ducat_transfers_total', 'Transfers to our addresses', [
    'chain',
    'state',
  ]);
  const untraced = counter(registry, 'ducat_untraced_total', 'Transactions that moved nobody knows what', [
    'chain',
    'reason',
  ]);
  const leaseHeld = gauge(registry, 'ducat_chain_lease_held', '1 in the process that watches the chain', [
    'chain',
  ]);
  const leaseTaken = counter(registry, 'ducat_chain_lease_taken_total', 'Times this process took the lease', [
    'chain',
  ]);
  return {
    leaseHeld,
    leaseTaken,
    head,
    accepted,
    final,
    lag,
    lagSeconds,
    skew,
    halted,
    reorgs,
    depth,
    outages,
    endpoints,
    transfers,
    untraced,
    /** What only the process that watches the chain can tell. */
    states: [head, accepted, final, lag, lagSeconds, skew, halted],
  };
}

function chainMetrics(registry: Registry): { observer: WatcherObserver; age(now: number): void } {
  const chains = registerChains(registry);
  const heads = new Map<string, number>();
  const headTimes = new Map<string, number>();
  const booked = new Map<string, number>();
  const observer: WatcherObserver = {
    onLease: (chain, held) => {
      chains.leaseHeld.set({ chain }, held ? 1 : 0);
      if (held) return chains.leaseTaken.inc({ chain });
      // What stands still here would look like a chain that stands still; the new holder tells how it is.
      for (const known of [heads, headTimes, booked]) known.delete(chain);
      for (const shown of chains.states) shown.remove({ chain });
    },
    onHead: (chain, number) => {
      heads.set(chain, number);
      chains.head.set({ chain }, number);
    },
    onCursor: (chain, cursor) => {
      chains.halted.set({ chain }, cursor !== null && cursor.haltedReason !== null ? 1 : 0);
      if (cursor === null || cursor.head === null || cursor.headTime === null) return;
      booked.set(chain, cursor.head.number);
      headTimes.set(chain, cursor.headTime);
      if (cursor.finalNumber !== null) chains.final.set({ chain }, cursor.finalNumber);
    },
    onAccepted: (chain, block, { seen, settled }) => {
      booked.set(chain, block);
      chains.transfers.inc({ chain, state: 'seen' }, seen);
      chains.transfers.inc({ chain, state: 'final' }, settled.transfers);
    },
    onUntraced: (chain, reason) => chains.untraced.inc({ chain, reason }),
    onReorg: (chain, blocks) => {
      chains.reorgs.inc({ chain });
      chains.depth.set({ chain }, blocks);
    },
    onHalted: (chain) => chains.halted.set({ chain }, 1),
    onOutage: (chain, kind) => chains.outages.inc({ chain, kind }),
    onEndpoints: (chain, endpoints) => {
      for (const { endpoint, healthy } of endpoints)
        chains.endpoints.set({ chain, endpoint }, healthy ? 1 : 0);
    },
  };
  const age = (now: number) => {
    for (const [chain, block] of booked) {
      chains.accepted.set({ chain }, block);
      chains.lag.set({ chain }, Math.max(0, (heads.get(chain) ?? block) - block));
    }
    for (const [chain, time] of headTimes) {
      chains.lagSeconds.set({ chain }, Math.max(0, now - time));
      // A clock that is behind makes webhooks and orders wrong in time, and would hide in an age of 0.
      chains.skew.set({ chain }, Math.max(0, time - now));
    }
  };
  return { observer, age };
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

function rpcObservers(registry: Registry): (chain: string) => RpcObserver {
  const requests = counter(registry, 'ducat_rpc_requests_total', 'Questions to nodes', [
    'chain',
    'endpoint',
    'ok',
  ]);
  const seconds = histogram(registry, 'ducat_rpc_seconds', 'Time to the answer of a node', [
    'chain',
    'endpoint',
  ]);
  return (chain) => ({
    onRequest: ({ endpoint, ms, ok }) => {
      requests.inc({ chain, endpoint, ok: String(ok) });
      seconds.observe({ chain, endpoint }, ms / 1000);
    },
  });
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
