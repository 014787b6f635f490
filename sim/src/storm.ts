// The storm: time passes, blocks come and go, processes die, until every wish was told and every payment sent.
import { readAddresses } from './books.ts';
import type { SimChain } from './sim-chain.ts';
import { callsFor, type Simulation } from './simulation.ts';

/** A storm that nothing else ends is over after this many steps. */
const MAX_STEPS = 6_000;
const MAX_CLOCK_MS = 300_000;
const MAX_FREEZE_MS = 60_000;

export async function storm(sim: Simulation): Promise<void> {
  const { scheduler, company, trace } = sim;
  const endMs = scheduler.nowMs + MAX_CLOCK_MS;
  for (const name of company.dead) company.start(name);
  while (trace.steps < MAX_STEPS && scheduler.nowMs < endMs && !isOver(sim)) {
    if (!sim.chance.hits(sim.weather.worldShare) && (await sim.take())) continue;
    await moveWorld(sim);
    await scheduler.settle();
    await sim.check();
  }
}

function isOver({ wishes, payments, chains }: Simulation): boolean {
  if (payments.length > 0 || wishes.some(({ told }) => !told)) return false;
  return chains.every(({ mempool }) => mempool.length === 0);
}

type Move = 'tick' | 'ask' | 'kill' | 'killAll' | 'start' | 'freeze' | 'fork' | 'stall' | 'outage' | 'stray';

async function moveWorld(sim: Simulation): Promise<void> {
  const { weather, chance, company, wishes, chains } = sim;
  const open = wishes.filter((wish) => !wish.told && callsFor(wish) < 2);
  const { running, dead } = company;
  const move = chance.weighted<Move>([
    ['tick', 30],
    ['ask', open.length > 0 ? 12 : 0],
    ['kill', running.length > 0 ? weather.kill : 0],
    ['killAll', weather.killAll],
    ['start', dead.length * 12],
    ['freeze', running.length > 0 ? weather.freeze : 0],
    ['fork', weather.fork],
    ['stall', weather.stall],
    ['outage', weather.chainOutage],
    ['stray', 0.5],
  ]);
  sim.trace.step(sim.scheduler.nowMs, move);
  const moves: Readonly<Record<Move, () => void | Promise<void>>> = {
    tick: () => tick(sim),
    ask: () => sim.ask(chance.pick(open)),
    kill: () => company.kill(chance.pick(running).name),
    killAll: async () => {
      for (const { name } of running) await company.kill(name);
    },
    start: () => company.start(chance.pick(dead)),
    freeze: () => freeze(sim),
    fork: () => fork(sim, chance.pick(chains)),
    stall: () => stall(sim, chance.pick(chains)),
    outage: () => sim.chainOutage(chance.pick(chains)),
    stray: () => strayPayment(sim),
  };
  await moves[move]();
}

/** Time passes, and what is due by now happens. */
function tick(sim: Simulation): void {
  sim.passTime(sim.chance.between(100, sim.weather.maxTickMs));
  sim.sendPayments();
  for (const chain of sim.chains) {
    if (chain.nextBlockMs <= sim.scheduler.nowMs) sim.mine(chain);
  }
}

function freeze(sim: Simulation): void {
  const process = sim.chance.pick(sim.company.running);
  const ms = sim.chance.between(1_000, MAX_FREEZE_MS);
  process.frozenUntilMs = sim.scheduler.nowMs + ms;
  sim.tell(`${process.name} freezes for ${ms} ms`);
}

function fork(sim: Simulation, chain: SimChain): void {
  if (chain.maxForkDepth === 0) return;
  const depth = sim.chance.between(1, chain.maxForkDepth);
  const fates = chain.fork(depth, sim.trace.steps);
  sim.tell(`${chain.definition.name} forks ${depth} deep, now ${chain.height} high; ${fates}`);
}

function stall(sim: Simulation, chain: SimChain): void {
  chain.stall(!chain.isStalled);
  sim.tell(`finality of ${chain.definition.name} ${chain.isStalled ? 'stands still' : 'goes on'}`);
}

/** Money for an address that no order has: the first that waits in a pool. */
async function strayPayment(sim: Simulation): Promise<void> {
  const free = (await readAddresses(sim.real.reader)).filter(({ trade_no }) => trade_no === null);
  if (free.length === 0) return;
  const { address } = sim.chance.pick(free);
  const chain = sim.chance.pick(sim.chains);
  const { currencyId } = sim.chance.pick(chain.definition.currencies);
  const units = BigInt(sim.chance.between(1, 5_000));
  const movement = { currencyId, from: '0xstray', to: address, units };
  sim.payments.push({ atMs: sim.scheduler.nowMs, chain, movement, failed: false });
}
