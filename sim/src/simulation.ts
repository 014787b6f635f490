// One run: a fault phase under a seed, then quiet time, then the verdict.
import type { Database } from '@ducat/gateway/db/postgres/tx';
import type { ChainGate } from './nodes/chain-gate.ts';
import type { FeeMarket } from './outgoing/chain/fee-market.ts';
import { CALM, drawOutgoingWeather, Outgoing } from './outgoing/outgoing.ts';
import { walletCoin, withPayoutTerms, worthPayingOut } from './outgoing/payout-scene.ts';
import { networkFeesOf } from './outgoing/network-fees.ts';
import { drawPayoutPlans, type PayoutPlan } from './outgoing/payout-plans.ts';
import { drawSetup, type Setup } from './actors/setup.ts';
import { Chance } from './world/chance.ts';
import type { ReceivedDetail } from './checkers/detail.ts';
import { CommitChecker } from './checkers/commit-checker.ts';
import { ReconciliationChecker } from './checkers/reconciliation.ts';
import { checkOrderAnswer } from './checkers/order-answer.ts';
import { Processes } from './actors/processes.ts';
import { Findings } from './checkers/findings.ts';
import type { DatabaseFault } from './database/gated-database.ts';
import { Market } from './actors/market.ts';
import { Merchants, type Mood, type Temper } from './actors/merchants.ts';
import { Providers } from './nodes/providers.ts';
import { Scheduler, type Step } from './world/scheduler.ts';
import { gathered, sendPayments } from './actors/send-payments.ts';
import {
  type AnsweredOrder,
  type DrawnPayments,
  drawPayments,
  type Payment,
  readAnswer,
} from './actors/shoppers.ts';
import type { OrderBatches } from '@ducat/gateway/roles/api/orders/order-batches';
import { type ApiParts, askForOrder, type OrderAnswer, ordersOf } from './actors/sim-api.ts';
import { makeChains, marketsOf } from './nodes/make-chains.ts';
import type { SimChain } from './nodes/sim-chain.ts';
import type { SimProcess } from './world/sim-process.ts';
import { STORY_START_MS, type Trace } from './world/trace.ts';
import { calm, drawWeather, MAX_SKEW_MS, type Weather } from './world/weather.ts';
import { drawLoad, drawOrderPlans, FEW, type Load, type OrderPlan } from './actors/order-plans.ts';
import { freezesAtWork, wakeZombies } from './actors/zombies.ts';

export interface SimulationParts {
  readonly seed: number;
  readonly real: Database;
  readonly trace: Trace;
  /** Replaces what the seed would draw. */
  readonly script?: Script;
  /** Whether the run has payouts. Its chains are then read by the simulator's own rule. */
  readonly withPayouts?: boolean;
}

/** A run that is scripted instead of drawn. */
export interface Script {
  readonly setup: Setup;
  readonly weather: Weather;
  readonly orderPlans: (chains: readonly SimChain[], apps: Setup['apps']) => readonly OrderPlan[];
  /** Called once for each block in quiet time. */
  readonly onRound: (sim: Simulation) => void | Promise<void>;
  /** How likely a payment that is due shares the transaction of the next one. */
  readonly togetherShare: number;
  /** The first moods of merchants. */
  readonly moods: readonly Mood[];
  readonly pay: (
    chance: Chance,
    order: AnsweredOrder,
    chains: readonly SimChain[],
    nowMs: number,
  ) => DrawnPayments;
  /** The payouts of the run; none where it is left out. */
  readonly payouts?: (sim: Pick<Simulation, 'setup' | 'chains'>) => PayoutPlan[];
  /** The operator's stake on Tron, in transfers that it covers at once. */
  readonly stakedTransfers?: number;
  /** Whether addresses of tokens are swept together on EVM chains. */
  readonly sponsored?: boolean;
}

/** A planned order and how far it is. */
export interface OpenPlan {
  readonly plan: OrderPlan;
  /** The processes that were asked and have not answered; a dead one never will. */
  asked: SimProcess[];
  answered: boolean;
  firstAskedMs: number | null;
}

/** How many calls for the plan are under way. */
export function callsFor({ asked }: OpenPlan): number {
  return asked.filter(({ alive }) => alive).length;
}

/** Everything that a run consists of; the fault phase and the quiet time move it. */
export class Simulation {
  readonly trace: Trace;
  readonly chance: Chance;
  readonly setup: Setup;
  readonly chains: readonly SimChain[];
  readonly scheduler: Scheduler;
  readonly processes: Processes;
  readonly merchants: Merchants;
  readonly findings: Findings;
  readonly real: Database;
  readonly orderPlans: readonly OpenPlan[];
  readonly answered: AnsweredOrder[] = [];
  /** The answers of order/detail so far. */
  readonly receivedDetails: ReceivedDetail[] = [];
  readonly market: Market;
  readonly load: Load;
  payments: Payment[] = [];
  weather: Weather;
  readonly providers: Providers;
  /** Called before each step of a process, which may be its last. */
  beforeStep: ((step: Step) => Promise<boolean>) | null = null;
  /** How many faults were injected, apart from those of providers. */
  injectedFaults = 0;
  /** Steps at which a process of a scenario could die. */
  crashPoints = 0;
  /** Steps that processes took. */
  processSteps = 0;
  readonly script: Script | null;
  readonly #pay: Script['pay'];
  /** How wrong a clock may be in this run. */
  readonly #skewMs: number;
  readonly #commits: CommitChecker;
  readonly reconciliation: ReconciliationChecker;
  readonly #gate: ChainGate;
  /** The payouts of the run; null where nothing is paid out. */
  readonly outgoing: Outgoing | null;
  readonly #orders = new WeakMap<SimProcess, OrderBatches>();
  readonly #toCheck = new Set<SimProcess>();
  /** The tables that were written since the last check. */
  readonly #written = new Set<string>();

  constructor({ seed, real, trace, script, withPayouts = false }: SimulationParts) {
    const chance = new Chance(seed, 'world');
    this.trace = trace;
    this.real = real;
    this.chance = chance;
    const setup = script?.setup ?? drawSetup(new Chance(seed, 'cast'));
    this.setup =
      withPayouts && script === undefined ? withPayoutTerms(setup, new Chance(seed, 'payout terms')) : setup;
    const weather = script?.weather ?? drawWeather(new Chance(seed, 'weather'));
    // With payouts more processes share the steps, so the world needs a larger share to mine blocks.
    this.weather =
      withPayouts && script === undefined ? { ...weather, worldShare: weather.worldShare * 3 } : weather;
    this.#skewMs = this.weather.clock > 0 ? MAX_SKEW_MS : 0;
    this.script = script ?? null;
    this.#pay = script?.pay ?? drawPayments;
    this.findings = new Findings(() => trace.steps);
    this.scheduler = new Scheduler(STORY_START_MS, trace, () => countWaiting(real));
    const markets = withPayouts ? marketsOf(this.setup) : null;
    this.chains = makeChains(seed, this.setup, markets);
    this.outgoing = markets === null ? null : this.#makeOutgoing(seed, markets, script);
    this.providers = new Providers(this.chains, this.setup.chains, {
      chance: new Chance(seed, 'providers'),
      weather: () => this.weather,
      nowMs: () => this.scheduler.nowMs,
      orders: () => this.answered,
    });
    this.market = new Market(seed);
    this.load = script === undefined ? drawLoad(chance) : { ...FEW, togetherShare: script.togetherShare };
    const drawn =
      script?.orderPlans(this.chains, this.setup.apps) ??
      drawOrderPlans(chance, this.load, this.setup.apps, this.chains);
    const orderPlans = withPayouts && script === undefined ? worthPayingOut(chance, drawn) : drawn;
    this.orderPlans = orderPlans.map((plan) => ({ plan, asked: [], answered: false, firstAskedMs: null }));
    this.merchants = new Merchants(tempersOf(orderPlans), this.scheduler, new Chance(seed, 'merchants'));
    this.merchants.moods.push(...(script?.moods ?? []));
    const { findings, chains } = this;
    const outgoing = this.outgoing?.checker ?? null;
    const slackMs = 2 * this.#skewMs;
    this.#commits = new CommitChecker({ reader: real.reader, findings, chains, outgoing, slackMs });
    this.reconciliation = new ReconciliationChecker(this.findings, this.chains);
    this.#gate = this.providers.gate(this.scheduler);
    if (this.outgoing !== null) {
      this.outgoing.payoutPlans =
        script?.payouts?.(this) ?? drawPayoutPlans(chance, this.setup.apps, this.chains, orderPlans);
      const { weather } = this.outgoing;
      this.payments.push(...walletCoin(this.setup, this.chains, weather, this.scheduler.nowMs));
    }
    this.processes = this.#makeProcesses(seed);
  }

  #makeOutgoing(seed: number, markets: ReadonlyMap<string, FeeMarket>, script: Script | undefined): Outgoing {
    const { chains, scheduler, findings, real } = this;
    const weather =
      script === undefined
        ? drawOutgoingWeather(new Chance(seed, 'outgoing weather'))
        : { ...CALM, stakedTransfers: script.stakedTransfers ?? 0, sponsored: script.sponsored ?? false };
    return new Outgoing({ seed, chains, markets, scheduler, findings, reader: real.reader, weather });
  }

  #makeProcesses(seed: number): Processes {
    const { real, scheduler, setup, chains, merchants, outgoing, market } = this;
    const parts = {
      seed,
      outgoing,
      market,
      setup,
      chains,
      merchants,
      databaseGate: {
        real,
        scheduler,
        fault: (call: 'begin' | 'statement' | 'commit') => this.#databaseFault(call),
        onCommit: (process: SimProcess, tables: ReadonlySet<string>) => this.#noteCommit(process, tables),
      },
      chainGate: this.#gate,
      clockErrorOf: () => this.#drawClockError(),
      note: (text: string) => this.note(text),
      onEnd: (name: string, error: unknown) =>
        this.findings.add('no role breaks', `${name}: ${String(error)}`),
    };
    return new Processes(parts, this.weather);
  }

  /** All faults that were injected so far. */
  get faults(): number {
    return this.injectedFaults + this.providers.faults;
  }

  note(text: string): void {
    this.trace.note(this.scheduler.nowMs, text);
  }

  /** Takes one step of a process, and checks what the process committed. */
  async take(): Promise<boolean> {
    const choices = this.scheduler.choices();
    if (choices.length === 0) return false;
    const step = this.chance.pick(choices);
    this.processSteps++;
    if (this.beforeStep !== null && (await this.beforeStep(step))) {
      await this.check();
      return true;
    }
    if (await freezesAtWork(this, step)) return true;
    if (step.label.startsWith('COMMIT') && this.chance.hits(this.weather.killAtCommit)) {
      const when =
        step.state === 'ready' ? 'after its COMMIT, before the answer' : 'before its COMMIT is sent';
      this.injectedFaults++;
      await this.processes.kill(step.process.name, when);
    } else {
      await this.scheduler.take(step);
    }
    await this.check();
    return true;
  }

  /** Checks the books after a commit. Nothing else may run meanwhile. */
  async check(): Promise<void> {
    if (this.#toCheck.size === 0) return;
    const committed = [...this.#toCheck];
    const written = [...this.#written];
    this.#toCheck.clear();
    this.#written.clear();
    await this.#commits.check(committed, written);
  }

  #noteCommit(process: SimProcess, tables: ReadonlySet<string>): void {
    this.#toCheck.add(process);
    if (tables.has('leases')) wakeZombies(this, process);
    for (const table of tables) this.#written.add(table);
  }

  passTime(ms: number): void {
    this.scheduler.nowMs += ms;
  }

  mine(chain: SimChain): void {
    const taken = chain.mine(this.scheduler.nowMs, this.trace.steps, this.weather.takeShare);
    if (taken > 0) this.note(`${chain.definition.name} block ${chain.height} with ${taken} transactions`);
  }

  /** The parts of the API's process, or null while it is dead. */
  apiParts(): (ApiParts & { readonly process: SimProcess }) | null {
    const api = this.processes.api();
    if (api === null) return null;
    const { process, world, database } = api;
    const { transact, reader } = database;
    const networkFees = networkFeesOf(this, this.#gate, process, world);
    const orders = this.#orders.get(process) ?? ordersOf({ transact, reader, world });
    this.#orders.set(process, orders);
    return {
      process,
      transact,
      reader,
      world,
      market: this.market,
      chains: this.chains,
      networkFees,
      orders,
    };
  }

  /** Asks for an order in the API's process, as a merchant's server would. */
  ask(open: OpenPlan): void {
    const api = this.apiParts();
    if (api === null) return;
    const { plan } = open;
    open.asked.push(api.process);
    open.firstAskedMs ??= this.scheduler.nowMs;
    const answered = askForOrder(api, plan);
    void answered.then(
      (accepted) => {
        open.asked.splice(open.asked.indexOf(api.process), 1);
        if (accepted !== null) this.#receive(open, accepted.answer, accepted.timeOut);
      },
      (error: unknown) => this.findings.add('an order is answered', `${plan.outTradeNo}: ${String(error)}`),
    );
  }

  #receive(open: OpenPlan, answer: OrderAnswer, timeOut: number): void {
    const { plan } = open;
    const order = readAnswer(answer, plan, this.chains, this.trace.steps);
    const before = this.answered.find((one) => one.plan === plan);
    if (before !== undefined) {
      this.findings.expect(
        JSON.stringify(before.answer) === JSON.stringify(answer),
        '23 one order per out_trade_no',
        `${plan.outTradeNo} was answered as ${before.tradeNo} and as ${order.tradeNo}`,
      );
      return;
    }
    const earliest = Math.floor(((open.firstAskedMs ?? 0) - this.#skewMs) / 1000);
    const latest = Math.floor((this.scheduler.nowMs + this.#skewMs) / 1000);
    checkOrderAnswer(order, { timeOut, earliest, latest }, this.answered, this.findings);
    open.answered = true;
    this.answered.push(order);
    const { manner, payments } = this.#pay(this.chance, order, this.chains, this.scheduler.nowMs);
    this.payments.push(...gathered(payments, this.load.gatherMs));
    const { tradeNo, timeExpire, units } = order;
    const due = `${units} units of ${order.currencyId}`;
    const until = ((timeExpire * 1000 - STORY_START_MS) / 1000).toFixed(0);
    this.note(
      `${plan.app.appId} is answered ${plan.outTradeNo} = ${tradeNo}: ${due} until ${until} s, will be paid: ${manner}`,
    );
  }

  /** Broadcasts the payments that are due. */
  sendPayments(): void {
    sendPayments(this);
  }

  /** Begins quiet time: everything works from here on. */
  beCalm(): void {
    this.weather = calm(this.weather);
    this.merchants.isCalm = true;
    for (const name of this.providers.beHonest()) this.note(`${name} is gone for good`);
    if (this.outgoing !== null) {
      const { twoPayers, poorWallets, stakedTransfers, sponsored } = this.outgoing.weather;
      this.outgoing.weather = { ...CALM, twoPayers, poorWallets, stakedTransfers, sponsored };
      for (const market of this.outgoing.markets.values()) market.spike(1);
    }
    this.#commits.beCalm(this.scheduler.nowMs);
    for (const chain of this.chains) chain.stall(false);
    for (const process of this.processes.running) {
      process.frozenUntilMs = 0;
      process.clockErrorMs = 0;
    }
    for (const name of this.processes.dead) this.processes.start(name);
    this.note('quiet time begins');
  }

  /** The clock of a process jumps, forwards or back. */
  jumpClock(process: SimProcess): void {
    process.clockErrorMs = this.chance.between(-MAX_SKEW_MS, MAX_SKEW_MS);
    this.note(`the clock of ${process.name} jumps to ${process.clockErrorMs} ms beside the true time`);
  }

  #drawClockError(): number {
    return this.weather.clock > 0 ? this.chance.between(-MAX_SKEW_MS, MAX_SKEW_MS) : 0;
  }

  #databaseFault(call: 'begin' | 'statement' | 'commit'): DatabaseFault {
    const fault = this.chance.hits(this.weather.databaseAway)
      ? 'away'
      : call === 'commit' && this.chance.hits(this.weather.commitLost)
        ? 'commit-lost'
        : null;
    if (fault !== null) this.injectedFaults++;
    return fault;
  }
}

/** The temper of the app, for each of its callback URLs. */
function tempersOf(orderPlans: readonly OrderPlan[]): ReadonlyMap<string, Temper> {
  const called = orderPlans.map(
    ({ app, callbackUrl }) => [callbackUrl ?? app.callbackUrl, app.temper] as const,
  );
  return new Map(called.flatMap(([url, temper]) => (url === null ? [] : [[url, temper]])));
}

/** Statements of this database that wait for a lock. */
async function countWaiting({ reader }: Database): Promise<number> {
  const [row] = await reader.read<{ waiting: number }>(
    // All of pg_stat_activity would cost more than the rest of this check, and mostly no statement waits.
    `SELECT count(DISTINCT locks.pid)::integer AS waiting FROM pg_lock_status() AS locks
     WHERE NOT granted AND (SELECT datid FROM pg_stat_get_activity(locks.pid)) =
       (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [],
  );
  return row?.waiting ?? 0;
}
