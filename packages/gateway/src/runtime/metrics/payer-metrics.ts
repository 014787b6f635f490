// What Prometheus shows of money that leaves: what waits and for how long, what nodes and the signer answer.
import type { Registry } from 'prom-client';
import type { OutgoingReport } from '../../db/reports/outgoing-report.ts';
import type { PayerObserver } from '../../roles/payer/observer.ts';
import { outageKinds } from '../outage.ts';
import { counter, gauge } from './metric-kinds.ts';

export interface PayerMetrics {
  readonly observer: PayerObserver;
  readonly show: (report: OutgoingReport, nowMs: number) => void;
}

export function payerMetrics(registry: Registry): PayerMetrics {
  const held = gauge(registry, 'ducat_payer_lease_held', '1 in the process that pays on the chain', [
    'chain',
  ]);
  const signed = counter(registry, 'ducat_outgoing_signed_total', 'Transactions signed', ['chain']);
  const refused = counter(registry, 'ducat_signer_refusals_total', 'Intents that the signer refused', [
    'chain',
    'reason',
  ]);
  const sent = counter(registry, 'ducat_broadcasts_total', 'Signed bytes passed on', ['chain', 'outcome']);
  const replaced = counter(registry, 'ducat_outgoing_replaced_total', 'Higher offers', ['chain']);
  const rebuilt = counter(registry, 'ducat_outgoing_rebuilt_total', 'Built anew after expiry', ['chain']);
  const broken = counter(registry, 'ducat_outgoing_broken_total', 'Items put into quarantine', ['chain']);
  const outages = counter(registry, 'ducat_payer_outages_total', 'Rounds that found no answer', [
    'chain',
    'kind',
  ]);
  return {
    observer: {
      onLease: (chain, isHeld) => {
        held.set({ chain }, isHeld ? 1 : 0);
        // Prometheus sees no rise from nothing to 1.
        sent.inc({ chain, outcome: 'refused' }, 0);
        for (const kind of outageKinds) outages.inc({ chain, kind }, 0);
      },
      onSigned: (chain, count) => signed.inc({ chain }, count),
      onRefused: (chain, reason) => refused.inc({ chain, reason }),
      onBroadcast: (chain, outcome) => sent.inc({ chain, outcome }),
      onReplaced: (chain) => replaced.inc({ chain }),
      onRebuilt: (chain, count) => rebuilt.inc({ chain }, count),
      onBroken: (chain) => broken.inc({ chain }),
      onOutage: (chain, kind) => outages.inc({ chain, kind }),
    },
    show: openMetrics(registry),
  };
}

function openMetrics(registry: Registry): PayerMetrics['show'] {
  const open = gauge(registry, 'ducat_outgoing_open', 'Outgoing transactions that are not final', [
    'chain',
    'state',
  ]);
  const oldest = gauge(
    registry,
    'ducat_outgoing_oldest_seconds',
    'Age of the oldest of them, of signed ones since the first signature',
    ['chain', 'state'],
  );
  const troubled = gauge(
    registry,
    'ducat_outgoing_troubled_seconds',
    'How long something stands in the way of one',
    ['chain', 'state'],
  );
  const stopped = gauge(registry, 'ducat_senders_stopped', 'Senders that wait for an operator', ['chain']);
  const mismatched = gauge(registry, 'ducat_outgoing_mismatched', 'Final and not what was promised', [
    'chain',
  ]);
  const quarantined = gauge(registry, 'ducat_quarantined_items', 'Items that broke and are left alone', [
    'kind',
  ]);
  return ({ work, senders, quarantined: kinds }, nowMs) => {
    quarantined.reset();
    for (const { kind, count } of kinds) quarantined.set({ kind }, count);
    for (const shown of [open, oldest, troubled, stopped, mismatched]) shown.reset();
    for (const { chain, state, count, oldestMs, troubledMs } of work) {
      open.set({ chain, state }, count);
      oldest.set({ chain, state }, Math.max(0, nowMs - oldestMs) / 1_000);
      troubled.set({ chain, state }, troubledMs === null ? 0 : Math.max(0, nowMs - troubledMs) / 1_000);
    }
    for (const { chain, stopped: count, mismatched: odd } of senders) {
      stopped.set({ chain }, count);
      mismatched.set({ chain }, odd);
    }
  };
}
