// The fault phase: time passes, blocks come and go, processes die, until payments are final and webhooks are under way.
import { readAddresses } from './checkers/books.ts';
import { inquire } from './actors/inquiries.ts';
import { PAYER } from './actors/shoppers.ts';
import type { SimChain } from './nodes/sim-chain.ts';
import type { Outgoing } from './outgoing/outgoing.ts';
import {
  approvePayouts,
  askForPayout,
  cancelSomePayout,
  forgetTransaction,
  spikeFees,
  unansweredPayouts,
} from './outgoing/payout-moves.ts';
import { sendSomethingBack } from './outgoing/refunds/refund-moves.ts';
import { callsFor, type Simulation } from './simulation.ts';

/** The most steps of a fault phase. */
const MAX_STEPS = 6_000;
/** The most steps with payouts, because payers and collectors take steps as well. */
const MAX_PAYOUT_STEPS = 7_000;
const MAX_CLOCK_MS = 480_000;
/**
 * How long the phase goes on after the last payment is final, so that settling, webhooks and first retries meet
 * faults too.
 */
const MAX_AFTERMATH_MS = 90_000;
const MAX_FREEZE_MS = 60_000;

export async function faultPhase(sim: Simulation): Promise<void> {
  const { scheduler, processes, trace } = sim;
  let endMs = scheduler.nowMs + MAX_CLOCK_MS;
  let isFinal = false;
  const aftermathMs = sim.chance.between(0, MAX_AFTERMATH_MS);
  for (const name of processes.dead) processes.start(name);
  const mostSteps = sim.outgoing === null ? MAX_STEPS : MAX_PAYOUT_STEPS;
  while (trace.steps < mostSteps && (scheduler.nowMs < endMs || someoneIsFrozen(sim))) {
    if (!isFinal && isAllFinal(sim)) {
      isFinal = true;
      endMs = Math.min(endMs, scheduler.nowMs + aftermathMs);
    }
    if (!sim.chance.hits(sim.weather.worldShare) && (await sim.take())) continue;
    await moveWorld(sim);
    await scheduler.settle();
    await sim.check();
  }
}

/** A frozen process has to wake in the fault phase, because quiet time wakes all of them at once. */
function someoneIsFrozen({ processes, scheduler }: Simulation): boolean {
  return processes.running.some((process) => !process.canStep(scheduler.nowMs));
}

/**
 * Whether every order is answered, every payment is sent, and every block with payments is final by the chain itself.
 */
function isAllFinal({ orderPlans, payments, chains, outgoing }: Simulation): boolean {
  if (outgoing?.payoutPlans.some(({ answer, isRefused }) => answer === null && !isRefused) === true)
    return false;
  if (payments.length > 0 || orderPlans.some(({ answered }) => !answered)) return false;
  return chains.every(({ mempool, lastPaidBlock, finalHeight }) => {
    return mempool.length === 0 && lastPaidBlock <= finalHeight;
  });
}

type Move =
  | 'tick'
  | 'ask'
  | 'kill'
  | 'killAll'
  | 'start'
  | 'freeze'
  | 'fork'
  | 'stall'
  | 'outage'
  | 'provider'
  | 'branch'
  | 'clock'
  | 'stray'
  | 'inquire'
  | 'payout'
  | 'approve'
  | 'cancel'
  | 'send back'
  | 'spike'
  | 'forget';

/** Moves in which nothing goes wrong. */
const PEACEFUL: ReadonlySet<Move> = new Set([
  'tick',
  'ask',
  'start',
  'stray',
  'inquire',
  'payout',
  'approve',
  'cancel',
  'send back',
]);

async function moveWorld(sim: Simulation): Promise<void> {
  const { weather, chance, processes, orderPlans, chains } = sim;
  const open = orderPlans.filter((plan) => !plan.answered && callsFor(plan) < 2);
  const { running, dead } = processes;
  const { outgoing } = sim;
  const unanswered = outgoing === null ? [] : unansweredPayouts(outgoing);
  const withOutgoing = (then: (outgoing: Outgoing) => void | Promise<void>) => () =>
    outgoing === null ? undefined : then(outgoing);
  const move = chance.weighted<Move>([
    ['tick', 30],
    ['ask', open.length > 0 ? 40 : 0],
    ['kill', running.length > 0 ? weather.kill : 0],
    ['killAll', weather.killAll],
    ['start', dead.length * 12],
    ['freeze', running.length > 0 ? weather.freeze : 0],
    ['fork', weather.fork],
    ['stall', weather.stall],
    ['outage', weather.chainOutage],
    ['provider', weather.provider],
    ['branch', weather.branch],
    ['clock', running.length > 0 ? weather.clock : 0],
    ['stray', 0.5],
    ['inquire', sim.answered.length > 0 ? 5 : 0],
    ['payout', unanswered.length > 0 ? 12 : 0],
    ['approve', outgoing === null ? 0 : 3],
    ['cancel', outgoing?.weather.cancel ?? 0],
    ['send back', outgoing?.weather.refund ?? 0],
    ['spike', outgoing?.weather.spike ?? 0],
    ['forget', outgoing?.weather.forget ?? 0],
  ]);
  sim.trace.step(sim.scheduler.nowMs, move);
  const moves: Readonly<Record<Move, () => void | Promise<void>>> = {
    tick: () => tick(sim),
    ask: () => sim.ask(chance.pick(open)),
    kill: () => processes.kill(chance.pick(running).name),
    killAll: () => killAll(sim),
    start: () => processes.start(chance.pick(dead)),
    freeze: () => freeze(sim),
    fork: () => fork(sim, chance.pick(chains)),
    stall: () => stall(sim, chance.pick(chains)),
    outage: () => sim.note(sim.providers.blackOut(chance.pick(chains))),
    provider: () => sim.note(sim.providers.change()),
    branch: () => {
      const shown = sim.providers.showBranch();
      if (shown !== null) sim.note(shown);
    },
    clock: () => sim.jumpClock(chance.pick(running)),
    stray: () => strayPayment(sim),
    inquire: () => inquire(sim),
    payout: () => askForPayout(sim, chance.pick(unanswered)),
    approve: withOutgoing((out) => approvePayouts(sim, out)),
    cancel: withOutgoing((out) => cancelSomePayout(sim, out)),
    'send back': withOutgoing((out) => sendSomethingBack(sim, out)),
    spike: withOutgoing((out) => spikeFees(sim, out)),
    forget: () => forgetTransaction(sim),
  };
  if (!PEACEFUL.has(move)) sim.injectedFaults++;
  await moves[move]();
}

async function killAll({ processes }: Simulation): Promise<void> {
  for (const { name } of processes.running) await processes.kill(name);
}

/** Moves the clock, sends the payments that are due, and mines the blocks that are due. */
function tick(sim: Simulation): void {
  sim.passTime(sim.chance.between(100, sim.weather.maxTickMs));
  sim.sendPayments();
  for (const chain of sim.chains) {
    if (chain.nextBlockMs > sim.scheduler.nowMs) continue;
    const burst = sim.chance.between(1, sim.weather.maxBurst);
    for (let block = 0; block < burst; block++) sim.mine(chain);
  }
}

/** Longer than the database lets a transaction under a lease be idle. */
const IDLE_TRANSACTION_MS = 5_000;

async function freeze(sim: Simulation): Promise<void> {
  const process = sim.chance.pick(sim.processes.running);
  const ms = sim.chance.between(1_000, MAX_FREEZE_MS);
  process.frozenUntilMs = sim.scheduler.nowMs + ms;
  sim.note(`${process.name} freezes for ${ms} ms`);
  if (ms > IDLE_TRANSACTION_MS) await sim.processes.cutIdle(process.name);
}

function fork(sim: Simulation, chain: SimChain): void {
  if (chain.maxForkDepth === 0) return;
  const depth = sim.chance.between(1, chain.maxForkDepth);
  const fates = chain.fork(depth, sim.trace.steps);
  sim.note(`${chain.definition.name} forks ${depth} deep, now ${chain.height} high; ${fates}`);
}

function stall(sim: Simulation, chain: SimChain): void {
  chain.stall(!chain.isStalled);
  sim.note(`finality of ${chain.definition.name} ${chain.isStalled ? 'stands still' : 'goes on'}`);
}

/** A payment to an address that no order has, such as one that waits in a pool. */
async function strayPayment(sim: Simulation): Promise<void> {
  const free = (await readAddresses(sim.real.reader)).filter(({ trade_no }) => trade_no === null);
  if (free.length === 0) return;
  const { address, family } = sim.chance.pick(free);
  const chain = sim.chains.find(({ definition }) => definition.family === family);
  if (chain === undefined) return;
  const { currencyId } = sim.chance.pick(chain.definition.currencies);
  const units = BigInt(sim.chance.between(1, 5_000));
  const valueTransfers = [{ currencyId, from: PAYER, to: address, units }];
  sim.payments.push({ atMs: sim.scheduler.nowMs, chain, valueTransfers, failed: false });
}
