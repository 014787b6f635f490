// What Prometheus shows of chains: how far each is read, final and searched, and what its providers are like.
import type { Counter, Gauge, Registry } from 'prom-client';
import type { ProviderHealth } from '../../chains/port/reader.ts';
import type { RpcObserver } from '../../chains/rpc/rpc-observer.ts';
import type { ChainCursor } from '../../db/tables/cursors.ts';
import type { WatcherObserver } from '../../roles/watcher/observer.ts';
import { outageKinds } from '../outage.ts';
import { counter, gauge, histogram } from './metric-kinds.ts';

/** A number for each state, so that an alarm can ask for more than 0. */
const circuits: Readonly<Record<ProviderHealth['circuit'], number>> = { closed: 0, 'half-open': 1, open: 2 };

export function chainMetrics(registry: Registry): { observer: WatcherObserver; age: (now: number) => void } {
  const positions = positionsOf(registry);
  const events = eventsOf(registry);
  const providers = providersOf(registry);
  const held = gauge(registry, 'ducat_chain_lease_held', '1 in the process that watches the chain', [
    'chain',
  ]);
  const taken = counter(registry, 'ducat_chain_lease_taken_total', 'Times this process took the lease', [
    'chain',
  ]);
  const observer: WatcherObserver = {
    onLease: (chain, isHeld) => {
      held.set({ chain }, isHeld ? 1 : 0);
      taken.inc({ chain }, isHeld ? 1 : 0);
      events.begin(chain);
      if (isHeld) return;
      // Gauges that no longer change would look like a chain that stands still. The new holder reports the chain's state.
      positions.forget(chain);
      providers.forget(chain);
    },
    onHead: positions.onHead,
    onCursor: positions.onCursor,
    onHalted: positions.onHalted,
    ...events.observer,
    onProviders: providers.show,
  };
  return { observer, age: positions.age };
}

type Positions = Pick<WatcherObserver, 'onHead' | 'onCursor' | 'onHalted'> & {
  forget(chain: string): void;
  age: (now: number) => void;
};

function positionGauges(registry: Registry) {
  const of = (name: string, help: string): Gauge<'chain'> => gauge(registry, name, help, ['chain']);
  return {
    head: of('ducat_chain_head_block', 'Newest block of the chain'),
    accepted: of('ducat_chain_accepted_block', 'Newest block in the books'),
    final: of('ducat_chain_final_block', 'Newest final block'),
    unsearched: of(
      'ducat_chain_unsearched_blocks',
      'Final blocks in which internal transactions were not searched for yet',
    ),
    lag: of('ducat_chain_lag_blocks', 'Blocks between the chain and the books'),
    lagSeconds: of('ducat_chain_lag_seconds', 'Age of the newest block in the books'),
    skew: of(
      'ducat_clock_skew_seconds',
      'How far the newest block in the books lies ahead of our clock; 0 where it does not',
    ),
    halted: of('ducat_chain_halted', '1 while a chain waits for a human'),
  };
}

function positionsOf(registry: Registry): Positions {
  const gauges = positionGauges(registry);
  const heads = new Map<string, number>();
  const cursors = new Map<string, ChainCursor>();
  return {
    onHead: (chain, number) => {
      heads.set(chain, number);
      gauges.head.set({ chain }, number);
    },
    onCursor: (chain, cursor) => {
      gauges.halted.set({ chain }, cursor !== null && cursor.haltedReason !== null ? 1 : 0);
      if (cursor === null) return;
      cursors.set(chain, cursor);
      const { finalNumber, searchedNumber } = cursor;
      if (finalNumber === null) return;
      gauges.final.set({ chain }, finalNumber);
      if (searchedNumber !== null)
        gauges.unsearched.set({ chain }, Math.max(0, finalNumber - searchedNumber));
    },
    onHalted: (chain) => gauges.halted.set({ chain }, 1),
    forget: (chain) => {
      heads.delete(chain);
      cursors.delete(chain);
      for (const shown of Object.values(gauges)) shown.remove({ chain });
    },
    age: (now) => {
      for (const [chain, { head, headTime }] of cursors) {
        if (head === null || headTime === null) continue;
        gauges.accepted.set({ chain }, head.number);
        gauges.lag.set({ chain }, Math.max(0, (heads.get(chain) ?? head.number) - head.number));
        gauges.lagSeconds.set({ chain }, Math.max(0, now - headTime));
        // A clock that is behind gives webhooks and orders wrong times. The age does not show it, because it is cut off at
        // 0.
        gauges.skew.set({ chain }, Math.max(0, headTime - now));
      }
    },
  };
}

type Events = 'onTransfers' | 'onNoted' | 'onReorg' | 'onOutage' | 'onInternal';

interface EventCounters {
  readonly observer: Pick<WatcherObserver, Events>;
  /** Makes the counters of a chain exist before they rise. Prometheus sees no rise from nothing to 1. */
  begin(chain: string): void;
}

function eventsOf(registry: Registry): EventCounters {
  const by = <Label extends string>(name: string, help: string, label: Label): Counter<'chain' | Label> =>
    counter(registry, name, help, ['chain', label]);
  const transfers = by('ducat_transfers_total', 'Transfers to our addresses', 'state');
  const noted = by('ducat_noted_transfers_total', 'Final transfers that a person should look at', 'what');
  const outages = by('ducat_chain_outages_total', 'Steps that found no answer that could be used', 'kind');
  const internal = by(
    'ducat_internal_transactions_total',
    'Value that a balance showed and no log',
    'outcome',
  );
  const reorgs = counter(registry, 'ducat_reorgs_total', 'Forks undone', ['chain']);
  const depth = gauge(registry, 'ducat_reorg_depth_blocks', 'Depth of the last fork undone', ['chain']);
  const observer: EventCounters['observer'] = {
    onTransfers: (chain, { seen, settled }) => {
      transfers.inc({ chain, state: 'seen' }, seen);
      transfers.inc({ chain, state: 'final' }, settled);
    },
    onNoted: (chain, { unassigned, outflows, absurd }) => {
      noted.inc({ chain, what: 'unassigned' }, unassigned);
      noted.inc({ chain, what: 'outflow' }, outflows);
      noted.inc({ chain, what: 'too-large' }, absurd);
    },
    onReorg: (chain, blocks) => {
      reorgs.inc({ chain });
      depth.set({ chain }, blocks);
    },
    onOutage: (chain, kind) => outages.inc({ chain, kind }),
    onInternal: (chain, outcome, count) => internal.inc({ chain, outcome }, count),
  };
  return {
    observer,
    begin: (chain) => {
      observer.onNoted(chain, { unassigned: 0, outflows: 0, absurd: 0 });
      observer.onInternal(chain, 'unassigned', 0);
      reorgs.inc({ chain }, 0);
      for (const kind of outageKinds) outages.inc({ chain, kind }, 0);
    },
  };
}

interface Providers {
  readonly show: WatcherObserver['onProviders'];
  forget(chain: string): void;
}

function providersOf(registry: Registry): Providers {
  const labels = ['chain', 'provider'] as const;
  const circuit = gauge(registry, 'ducat_provider_circuit', '0 closed, 1 half-open, 2 open: not asked', [
    ...labels,
  ]);
  const heads = gauge(registry, 'ducat_provider_head_block', 'The head that a provider reported last', [
    ...labels,
  ]);
  const shown = new Map<string, ReadonlySet<string>>();
  return {
    show: (chain, providers) => {
      shown.set(chain, new Set(providers.map(({ provider }) => provider)));
      for (const { provider, circuit: state, head } of providers) {
        circuit.set({ chain, provider }, circuits[state]);
        if (head !== null) heads.set({ chain, provider }, head);
      }
    },
    forget: (chain) => {
      for (const provider of shown.get(chain) ?? [])
        for (const one of [circuit, heads]) one.remove({ chain, provider });
      shown.delete(chain);
    },
  };
}

export function rpcObservers(registry: Registry): (chain: string) => RpcObserver {
  const requests = counter(registry, 'ducat_rpc_requests_total', 'Requests to providers', [
    'chain',
    'provider',
    'ok',
  ]);
  const seconds = histogram(registry, 'ducat_rpc_seconds', 'Time to the answer of a provider', [
    'chain',
    'provider',
  ]);
  return (chain) => ({
    onRequest: ({ provider, ms, ok }) => {
      requests.inc({ chain, provider, ok: String(ok) });
      seconds.observe({ chain, provider }, ms / 1000);
    },
  });
}
