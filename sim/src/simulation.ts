// One run: a storm under a seed, then quiet time, then the verdict.
import { isExplained } from '@ducat/core/ledger/reconcile';
import type { BookCheck } from '@ducat/gateway/roles/clerk/check-books';
import type { Database } from '@ducat/gateway/store/tx';
import { type Cast, drawCast } from './cast.ts';
import { Chance } from './chance.ts';
import { readMoney, readOutbox } from './books.ts';
import { MoneyChecker } from './checkers/money.ts';
import { OutboxChecker } from './checkers/outbox.ts';
import { Company } from './company.ts';
import { Findings } from './findings.ts';
import type { DatabaseFault } from './gated-database.ts';
import { Merchants } from './merchants.ts';
import type { Sabotage } from './sabotage.ts';
import { Scheduler } from './scheduler.ts';
import { askForOrder, drawPayments, drawWish, type Payment, type ToldOrder, type Wish } from './shoppers.ts';
import { SimChain } from './sim-chain.ts';
import type { ProcessKind, SimProcess } from './sim-process.ts';
import { STORY_START_MS, type Trace } from './trace.ts';
import { calm, drawWeather, type Weather } from './weather.ts';

export interface SimulationParts {
  readonly seed: number;
  readonly real: Database;
  readonly trace: Trace;
  readonly sabotage: Sabotage;
}

/** A wish and how far it is. */
export interface OpenWish {
  readonly wish: Wish;
  /** The processes that were asked and have not answered; a dead one never will. */
  asked: SimProcess[];
  told: boolean;
}

/** How many calls for it are under way. */
export function callsFor({ asked }: OpenWish): number {
  return asked.filter(({ alive }) => alive).length;
}

const LONGEST_OUTAGE_MS = 30_000;

/** Everything that a run consists of; the storm and the quiet time move it. */
export class Simulation {
  readonly trace: Trace;
  readonly chance: Chance;
  readonly cast: Cast;
  readonly chains: readonly SimChain[];
  readonly scheduler: Scheduler;
  readonly company: Company;
  readonly merchants: Merchants;
  readonly findings: Findings;
  readonly real: Database;
  readonly wishes: readonly OpenWish[];
  readonly told: ToldOrder[] = [];
  payments: Payment[] = [];
  weather: Weather;
  readonly #awayUntilMs = new Map<SimChain, number>();
  readonly #money: MoneyChecker;
  readonly #outbox: OutboxChecker;
  readonly #toCheck = new Set<ProcessKind>();

  constructor({ seed, real, trace, sabotage }: SimulationParts) {
    const chance = new Chance(seed, 'world');
    this.trace = trace;
    this.real = real;
    this.chance = chance;
    this.cast = drawCast(new Chance(seed, 'cast'));
    this.weather = drawWeather(new Chance(seed, 'weather'));
    this.findings = new Findings(() => trace.steps);
    this.scheduler = new Scheduler(STORY_START_MS, trace, () => countWaiting(real));
    this.chains = makeChains(seed, this.cast);
    const tempers = this.cast.apps.flatMap(({ callbackUrl, temper }) =>
      callbackUrl === null ? [] : [[callbackUrl, temper] as const],
    );
    this.merchants = new Merchants(new Map(tempers), this.scheduler, new Chance(seed, 'merchants'));
    this.wishes = Array.from({ length: chance.between(3, 7) }, (_, number) => ({
      wish: drawWish(chance, number, this.cast.apps, this.chains),
      asked: [],
      told: false,
    }));
    this.#money = new MoneyChecker(this.chains, this.findings);
    this.#outbox = new OutboxChecker(this.findings);
    this.company = new Company(
      {
        seed,
        sabotage,
        cast: this.cast,
        chains: this.chains,
        merchants: this.merchants,
        databaseGate: {
          real,
          scheduler: this.scheduler,
          fault: (call) => this.#databaseFault(call),
          intercept: sabotage.intercept ?? ((_process, sql, values, run) => run(sql, values)),
          onCommit: ({ kind }) => this.#toCheck.add(kind),
        },
        chainGate: {
          scheduler: this.scheduler,
          isAway: (chain) => this.#isAway(chain),
          lagBlocks: () => (chance.hits(this.weather.lag) ? chance.between(1, this.weather.maxLagBlocks) : 0),
        },
        tell: (text) => this.tell(text),
        onEnd: (name, error) => this.findings.add('no role breaks', `${name}: ${String(error)}`),
        onBookCheck: (check) => this.#checkReconciliation(check),
      },
      this.weather,
    );
  }

  tell(text: string): void {
    this.trace.tell(this.scheduler.nowMs, text);
  }

  /** Takes one step of a process and looks at what it committed. */
  async take(): Promise<boolean> {
    const choices = this.scheduler.choices();
    if (choices.length === 0) return false;
    const step = this.chance.pick(choices);
    if (step.label === 'COMMIT' && this.chance.hits(this.weather.killAtCommit)) {
      const when =
        step.state === 'ready' ? 'after its COMMIT, before the answer' : 'before its COMMIT is sent';
      await this.company.kill(step.process.name, when);
    } else {
      await this.scheduler.take(step);
    }
    await this.check();
    return true;
  }

  /** Looks at the books after a commit; nothing else may run meanwhile. */
  async check(): Promise<void> {
    if (this.#toCheck.size === 0) return;
    const notifierOnly = this.#toCheck.size === 1 && this.#toCheck.has('notifier');
    this.#toCheck.clear();
    if (!notifierOnly) await this.#money.check(await readMoney(this.real.reader));
    this.#outbox.check(await readOutbox(this.real.reader));
  }

  passTime(ms: number): void {
    this.scheduler.nowMs += ms;
  }

  mine(chain: SimChain): void {
    const taken = chain.mine(this.scheduler.nowMs, this.trace.steps, this.weather.takeShare);
    if (taken > 0) this.tell(`${chain.definition.name} block ${chain.height} with ${taken} transactions`);
  }

  /** Asks for an order in the API's process, as a merchant's server would. */
  ask(open: OpenWish): void {
    const api = this.company.api();
    if (api === null) return;
    const { wish } = open;
    const { transact, reader } = api.database;
    open.asked.push(api.process);
    const answered = askForOrder({ transact, reader, world: api.world }, wish);
    void answered.then(
      (order) => {
        open.asked.splice(open.asked.indexOf(api.process), 1);
        if (order === null) return;
        const { tradeNo, address, createTime, timeExpire } = order;
        const told = { wish, tradeNo, address, createTime, timeExpire, toldAtStep: this.trace.steps };
        this.#hear(open, told);
      },
      (error: unknown) => this.findings.add('an order is answered', `${wish.outTradeNo}: ${String(error)}`),
    );
  }

  #hear(open: OpenWish, order: ToldOrder): void {
    const before = this.told.find(({ wish }) => wish === open.wish);
    if (before !== undefined) {
      this.findings.expect(
        before.tradeNo === order.tradeNo && before.address === order.address,
        '23 one order per out_trade_no',
        `${open.wish.outTradeNo} was answered as ${before.tradeNo} and as ${order.tradeNo}`,
      );
      return;
    }
    open.told = true;
    this.told.push(order);
    const { manner, payments } = drawPayments(this.chance, order, this.chains, this.scheduler.nowMs);
    this.payments.push(...payments);
    const { wish, tradeNo, timeExpire } = order;
    const due = `${wish.units} units of ${wish.currency.currencyId}`;
    const until = ((timeExpire * 1000 - STORY_START_MS) / 1000).toFixed(0);
    this.tell(
      `${wish.app.appId} hears of ${wish.outTradeNo} = ${tradeNo}: ${due} until ${until} s, will be paid: ${manner}`,
    );
  }

  /** Payments that are due go out, sometimes several in one transaction. */
  sendPayments(): void {
    const due = this.payments.filter(({ atMs }) => atMs <= this.scheduler.nowMs);
    this.payments = this.payments.filter((payment) => !due.includes(payment));
    for (const chain of this.chains) {
      let together: Payment[] = [];
      for (const payment of due.filter((one) => one.chain === chain)) {
        together.push(payment);
        if (!payment.failed && this.chance.hits(0.3)) continue;
        this.#send(chain, together);
        together = [];
      }
      this.#send(chain, together);
    }
  }

  #send(chain: SimChain, payments: readonly Payment[]): void {
    if (payments.length === 0) return;
    const txId = this.chance.hash();
    const movements = payments.map(({ movement }) => movement);
    const failed = payments.every((payment) => payment.failed);
    // What fails as a whole moves nothing, so a failing payment never travels with others.
    chain.send({
      txId,
      movements: failed ? movements : movements.filter((_, at) => payments[at]?.failed === false),
      failed,
    });
    const words = movements.map(
      ({ to, units, currencyId }) => `${units} of ${currencyId} to …${to.slice(-22)}`,
    );
    this.tell(
      `${chain.definition.name} transaction ${txId.slice(0, 10)}${failed ? ' that fails' : ''}: ${words.join(', ')}`,
    );
  }

  chainOutage(chain: SimChain): void {
    const ms = this.chance.between(1_000, LONGEST_OUTAGE_MS);
    this.#awayUntilMs.set(chain, this.scheduler.nowMs + ms);
    this.tell(`${chain.definition.name} cannot be reached for ${ms} ms`);
  }

  /** Quiet time: everything works from here on. */
  beCalm(): void {
    this.weather = calm(this.weather);
    this.merchants.isCalm = true;
    this.#awayUntilMs.clear();
    for (const chain of this.chains) chain.stall(false);
    for (const process of this.company.running) process.frozenUntilMs = 0;
    for (const name of this.company.dead) this.company.start(name);
    this.tell('quiet time begins');
  }

  /** The product's own check of its books is part of the product, and must find nothing either. */
  #checkReconciliation({ troubles, chains }: BookCheck): void {
    for (const trouble of troubles) this.findings.add('7 the clerk finds nothing', trouble);
    for (const { chain, currencies } of chains) {
      for (const currency of currencies) {
        const { currencyId, unexplained, astray } = currency;
        const message = `${chain} ${currencyId}: ${unexplained.units} unexplained, ${astray.units} astray`;
        this.findings.expect(isExplained(currency), '7 ledger and chain agree', message);
      }
    }
  }

  #isAway(chain: SimChain): boolean {
    if (this.chance.hits(this.weather.chainAway)) return true;
    return (this.#awayUntilMs.get(chain) ?? 0) > this.scheduler.nowMs;
  }

  #databaseFault(call: 'begin' | 'statement' | 'commit'): DatabaseFault {
    if (this.chance.hits(this.weather.databaseAway)) return 'away';
    return call === 'commit' && this.chance.hits(this.weather.commitLost) ? 'commit-lost' : null;
  }
}

function makeChains(seed: number, cast: Cast): readonly SimChain[] {
  return cast.chains.map(
    ({ definition, finalityBlocks }, place) =>
      new SimChain({
        definition,
        finalityBlocks,
        seed: seed * 10 + place,
        startTime: STORY_START_MS / 1000 - 1,
        chance: new Chance(seed, `chain-${place}`),
      }),
  );
}

/** Statements of this database that wait for a lock. */
async function countWaiting({ reader }: Database): Promise<number> {
  const [row] = await reader.read<{ waiting: number }>(
    `SELECT count(DISTINCT pid)::integer AS waiting FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE NOT granted AND datname = current_database()`,
    [],
  );
  return row?.waiting ?? 0;
}
