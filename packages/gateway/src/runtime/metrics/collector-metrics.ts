// What Prometheus shows of collecting: what lies at deposit addresses, what is under way, and whether gas can be paid.
import { nativeCurrency } from '@ducat/core/chain/chain';
import type { Gauge, Registry } from 'prom-client';
import type { HoldingsReport } from '../../db/reports/holdings-report.ts';
import type { CollectorObserver } from '../../roles/collector/observer.ts';
import { outageKinds } from '../outage.ts';
import { counter, gauge, inTokens } from './metric-kinds.ts';

export interface CollectorMetrics {
  readonly observer: CollectorObserver;
  /** Each of these chains has a count of what is frozen, 0 as well: a rule sees no rise from a series that was not there. */
  readonly show: (report: HoldingsReport, nowMs: number, chains: readonly string[]) => void;
}

export function collectorMetrics(registry: Registry): CollectorMetrics {
  const held = gauge(registry, 'ducat_collector_lease_held', '1 in the process that collects on the chain', [
    'chain',
  ]);
  const events = counter(registry, 'ducat_collections_total', 'What became of collections', [
    'chain',
    'event',
  ]);
  const short = gauge(
    registry,
    'ducat_gas_wallet_short',
    '1 where the gas wallet has too little to collect',
    ['chain'],
  );
  const topUps = counter(
    registry,
    'ducat_top_ups_total',
    'What became of wallets of apps with too little gas',
    ['chain', 'event'],
  );
  const runway = runwayGauges(registry);
  const stake = stakeGauges(registry);
  const outages = counter(registry, 'ducat_collector_outages_total', 'Rounds that found no answer', [
    'chain',
    'kind',
  ]);
  return {
    observer: {
      onLease: (chain, isHeld) => {
        held.set({ chain }, isHeld ? 1 : 0);
        // Prometheus sees no rise from nothing to 1.
        for (const event of ['again', 'taken'] as const) events.inc({ chain, event }, 0);
        topUps.inc({ chain, event: 'over-budget' }, 0);
        for (const kind of outageKinds) outages.inc({ chain, kind }, 0);
        if (isHeld) return;
        // What no longer changes would alarm for ever. The new holder reports what it finds.
        for (const shown of [short, ...runway.gauges, ...stake.gauges]) shown.remove({ chain });
      },
      onCollection: (chain, event) => events.inc({ chain, event }),
      onGasShort: (chain, isShort) => short.set({ chain }, isShort ? 1 : 0),
      onTopUp: (chain, event) => topUps.inc({ chain, event }),
      onRunway: runway.show,
      onStake: stake.show,
      onOutage: (chain, kind) => outages.inc({ chain, kind }),
    },
    show: holdingMetrics(registry),
  };
}

function holdingMetrics(registry: Registry): CollectorMetrics['show'] {
  const holdings = gauge(registry, 'ducat_holdings', 'Deposit addresses that hold a currency', [
    'chain',
    'state',
  ]);
  const oldest = gauge(registry, 'ducat_collection_oldest_seconds', 'Age of the oldest open collection', [
    'chain',
    'state',
  ]);
  return ({ holdings: counted, open }, nowMs, chains) => {
    for (const shown of [holdings, oldest]) shown.reset();
    for (const chain of chains) holdings.set({ chain, state: 'frozen' }, 0);
    for (const { chain, state, count } of counted) holdings.set({ chain, state }, count);
    for (const { chain, state, oldestMs } of open)
      oldest.set({ chain, state }, Math.max(0, nowMs - oldestMs) / 1_000);
  };
}

/** Gauges by chain, and what fills them. An unknown figure has no value. */
interface Shown<Show> {
  readonly gauges: readonly Gauge<'chain'>[];
  readonly show: Show;
}

function runwayGauges(registry: Registry): Shown<CollectorObserver['onRunway']> {
  const days = gauge(registry, 'ducat_gas_runway_days', 'Days that the gas wallet lasts as it was spent', [
    'chain',
  ]);
  const payouts = gauge(
    registry,
    'ducat_gas_runway_payouts',
    'Payouts whose network fees the coin of the gas wallet covers at the prices of now',
    ['chain'],
  );
  const short = gauge(registry, 'ducat_gas_runway_short', '1 where it is below what is configured', [
    'chain',
  ]);
  const show: CollectorObserver['onRunway'] = (chain, runway, isShort) => {
    short.set({ chain }, isShort ? 1 : 0);
    if (runway.days === null) days.remove({ chain });
    else days.set({ chain }, Number(runway.days));
    if (runway.payouts === null) payouts.remove({ chain });
    else payouts.set({ chain }, Number(runway.payouts));
  };
  return { gauges: [days, payouts, short], show };
}

function stakeGauges(registry: Registry): Shown<CollectorObserver['onStake']> {
  const coverage = gauge(
    registry,
    'ducat_stake_coverage_ratio',
    "What the operator's stake brings in a day, as a share of what token collections of a usual day take",
    ['chain'],
  );
  const stray = gauge(
    registry,
    'ducat_stake_stray',
    'Stake that is delegated to deposit addresses without a collection that accounts for it, in whole coins',
    ['chain'],
  );
  const show: CollectorObserver['onStake'] = (definition, { runway, stray: found }) => {
    const { name: chain } = definition;
    stray.set({ chain }, inTokens(found, nativeCurrency(definition).decimals));
    if (runway.coveragePercent === null) coverage.remove({ chain });
    else coverage.set({ chain }, Number(runway.coveragePercent) / 100);
  };
  return { gauges: [coverage, stray], show };
}
