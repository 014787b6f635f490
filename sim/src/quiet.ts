// Quiet time: nothing fails any more, and everything that was under way has to come to its end.
import { readMoney, readOutbox } from './checkers/books.ts';
import { movePayoutsOn, payoutsLeft } from './outgoing/payouts-left.ts';
import { callsFor, type Simulation } from './simulation.ts';

/**
 * More rounds than any correct run needs: forty blocks, and sixteen attempts of each event under load whose merchant
 * is dead.
 */
const MAX_ROUNDS = 1_000;
/** The most steps between two moments at which all processes wait for the clock. */
const MAX_STEPS_A_ROUND = 5_000;
/** Long block times, so that expiries are reached in few blocks. */
const BLOCK_MS = 24_000;
/**
 * How far the clock moves while an attempt is under way: short against the lease, long against the polls of other
 * processes.
 */
const ATTEMPT_MS = 4_000;

export async function quietTime(sim: Simulation): Promise<void> {
  sim.beCalm();
  let what = 'nothing';
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await runUntilIdle(sim);
    // Later findings would only hide this one.
    if (sim.findings.list.length > 0) return;
    const left = await passing(sim);
    if (left === null) return;
    ({ what } = left);
    await moveOn(sim, left);
    await sim.scheduler.settle();
  }
  sim.findings.add('nothing stays in a passing state', `after quiet time: ${what}`);
}

/** How many blocks the final cursor may be behind the chain's final height, once everything is read. */
const MAX_BEHIND = 2;

async function runUntilIdle(sim: Simulation): Promise<void> {
  for (let step = 0; step < MAX_STEPS_A_ROUND; step++) {
    if (!(await sim.take())) return;
  }
  sim.findings.add('nothing runs for ever', 'processes go on without the clock');
}

interface Left {
  readonly what: string;
  /** When the outbox goes on, 0 for the next sleeper; null while a chain has to move. */
  readonly nextMs: number | null;
}

/** What is still under way. What needs blocks comes first. */
async function passing(sim: Simulation): Promise<Left | null> {
  const unanswered = sim.orderPlans.filter(({ answered }) => !answered);
  if (unanswered.length > 0) return { what: `${unanswered.length} orders are not answered`, nextMs: null };
  if (sim.payments.length > 0) return { what: `${sim.payments.length} payments are not sent`, nextMs: null };
  const { orders, cursors, transfers } = await readMoney(sim.real.reader);
  const open = orders.filter(({ status }) => status === 'TO-BE-PAID');
  if (open.length > 0) return { what: `order ${open[0]?.trade_no} is to be paid`, nextMs: null };
  const seen = transfers.filter(({ state }) => state === 'seen' || state === 'proposed');
  if (seen.length > 0) return { what: `a transfer in ${seen[0]?.tx_id} is not final`, nextMs: null };
  for (const chain of sim.chains) {
    const { name } = chain.definition;
    const cursor = cursors.find((one) => one.chain === name);
    const isBehind = cursor?.head_number !== chain.height || chain.mempool.length > 0;
    if (isBehind) return { what: `${name} is not read to its end`, nextMs: null };
    if ((cursor.final_number ?? -1) < lastWithTransactions(sim, name)) {
      return { what: `${name} is not final to its last payment`, nextMs: null };
    }
    // The cursor may not wait longer than the chain itself asks for; after finality has stalled, that is a block or two.
    const due = Math.min(chain.finalHeight, chain.height - chain.definition.confirmations + 1) - MAX_BEHIND;
    if ((cursor.final_number ?? -1) < due) {
      return { what: `${name} is final to ${cursor.final_number} where ${due} is due`, nextMs: null };
    }
  }
  const payouts = sim.outgoing === null ? null : await payoutsLeft(sim, sim.outgoing);
  if (payouts !== null) return payouts;
  const { events } = await readOutbox(sim.real.reader);
  const pending = events.filter(({ state }) => state === 'pending');
  if (pending.length === 0) {
    const unseen = await sim.reconciliation.unseen(sim.real.reader, sim.scheduler.nowMs);
    // On a chain without past states, a balance is compared once the books have reached its block.
    return unseen === null ? null : { what: `the books are not checked: ${unseen}`, nextMs: null };
  }
  const what = `${pending.length} events are on their way, such as ${pending[0]?.event_id}`;
  // While an attempt is under way, the clock moves in small steps, because every lease would run out otherwise. An
  // attempt whose lease has run out was lost with its process, and is retried by the retry schedule.
  const isUnderWay = pending.some(({ leased_until_ms: until }) => (until ?? 0) > sim.scheduler.nowMs);
  const due = pending.map(({ next_attempt_at_ms: at }) => at ?? 0);
  return { what, nextMs: isUnderWay ? 0 : Math.min(...due) };
}

function lastWithTransactions({ chains }: Simulation, name: string): number {
  return chains.find(({ definition }) => definition.name === name)?.lastPaidBlock ?? 0;
}

/** Moves the clock to the next attempt of the retry schedule, or mines one block on each chain. */
async function moveOn(sim: Simulation, { nextMs }: Left): Promise<void> {
  const { scheduler, outgoing } = sim;
  if (nextMs !== null) {
    scheduler.nowMs = Math.max(scheduler.nowMs + ATTEMPT_MS, nextMs, scheduler.nextDueMs() ?? 0);
    return;
  }
  await sim.script?.onRound(sim);
  sim.passTime(BLOCK_MS);
  sim.sendPayments();
  if (outgoing !== null) await movePayoutsOn(sim, outgoing);
  for (const open of sim.orderPlans) {
    if (!open.answered && callsFor(open) === 0) sim.ask(open);
  }
  // A step of its own, because by its number the auditor knows what was sent before a merchant had the answer for its order.
  sim.trace.step(scheduler.nowMs, 'blocks');
  for (const chain of sim.chains) sim.mine(chain);
}
