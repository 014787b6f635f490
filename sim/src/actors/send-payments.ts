// Broadcasts the payments that are due, sometimes several in one transaction, and under load a dozen.
import type { Payment } from './shoppers.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Chance } from '../world/chance.ts';
import type { Scheduler } from '../world/scheduler.ts';
import type { Load } from './order-plans.ts';

/** The part of the simulation that is used here. */
interface Run {
  readonly chance: Chance;
  readonly scheduler: Scheduler;
  readonly chains: readonly SimChain[];
  readonly load: Load;
  payments: readonly Payment[];
  note(what: string): void;
}

export function sendPayments(sim: Run): void {
  const due = sim.payments.filter(({ atMs }) => atMs <= sim.scheduler.nowMs);
  sim.payments = sim.payments.filter((payment) => !due.includes(payment));
  for (const chain of sim.chains) {
    let together: Payment[] = [];
    for (const payment of due.filter((one) => one.chain === chain)) {
      together.push(payment);
      if (!payment.failed && sim.chance.hits(sim.load.togetherShare)) continue;
      send(sim, chain, together);
      together = [];
    }
    send(sim, chain, together);
  }
}

/** Moves payments to the end of their interval, because payers who act together wait for each other. */
export function gathered(payments: readonly Payment[], gatherMs: number): readonly Payment[] {
  return payments.map((payment) => ({ ...payment, atMs: Math.ceil(payment.atMs / gatherMs) * gatherMs }));
}

function send(sim: Run, chain: SimChain, payments: readonly Payment[]): void {
  if (payments.length === 0) return;
  const failed = payments.every((payment) => payment.failed);
  // A transaction that fails moves nothing, so a failing payment never shares one with others.
  const sent = payments.filter((payment) => failed || !payment.failed);
  const valueTransfers = sent.flatMap((payment) => payment.valueTransfers);
  const { txId } = chain.send(valueTransfers, failed);
  const words = valueTransfers.map(
    ({ to, units, currencyId, isTrap = false }) =>
      `${units} of ${currencyId} to …${to.slice(-22)}${isTrap ? ' as a trap' : ''}`,
  );
  sim.note(
    `${chain.definition.name} transaction ${txId.slice(0, 10)}${failed ? ' that fails' : ''}: ${words.join(', ')}`,
  );
}
