// The core scenarios, scripted instead of drawn: small, so that a death can be tried at every step of them.
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { appSetup, chainSetup, type Setup } from './actors/setup.ts';
import { Chance } from './world/chance.ts';
import type { Mood } from './actors/merchants.ts';
import { type Manner, type Payment, paymentsOf } from './actors/shoppers.ts';
import type { Lie } from './nodes/provider.ts';
import type { Fate, SimChain } from './nodes/sim-chain.ts';
import type { Script, Simulation } from './simulation.ts';
import { calm, drawWeather } from './world/weather.ts';
import type { OrderPlan } from './actors/order-plans.ts';

interface Plot {
  readonly definition?: ChainDefinition;
  readonly orders?: number;
  readonly manner: Manner;
  /** The first answers of the merchant's server; afterwards it answers as it should. */
  readonly moods?: readonly Mood[];
  readonly fiat?: boolean;
  /** Whether the orders are paid in the coin of the chain instead of in a token. */
  readonly coin?: boolean;
  /** The lie of the first of two providers, in every answer that it fits. */
  readonly lie?: Lie;
  /** Where set, a fork drops the block with the payment, and the payment meets this fate. */
  readonly fork?: Fate;
}

const CONFIRMATIONS = 2;

const plots: Readonly<Record<string, Plot>> = {
  'an order that nobody pays times out': { manner: 'nothing' },
  'an exact payment is paid and reported': { manner: 'exact' },
  'a price in dollars is paid exactly': { manner: 'exact', fiat: true },
  'two parts are paid': { manner: 'parts' },
  'a payment in the wrong token': { manner: 'wrong token' },
  'a payment that comes late': { manner: 'late' },
  'a payment through a contract': { manner: 'through a contract' },
  'coins through a contract': { manner: 'through a contract', coin: true },
  'a trace shows more than arrived': { manner: 'through a contract', coin: true, lie: 'forged trace' },
  'a fork drops the payment': { manner: 'exact', fork: 'dropped' },
  'a fork moves the payment': { manner: 'exact', fork: 'again' },
  'a webhook is tried again': { manner: 'exact', moods: ['error', 'lost answer'] },
  'two orders in one transaction': { manner: 'exact', orders: 2 },
  'a payment on Tron is read twice': { manner: 'exact', definition: tron },
};

export const scenarios: Readonly<Record<string, Script>> = Object.fromEntries(
  Object.entries(plots).map(([name, plot]) => [name, scriptOf(plot)]),
);

function scriptOf(plot: Plot): Script {
  const { definition = eth, orders = 1, manner, moods = [], fork, lie } = plot;
  const faulty = lie === undefined ? {} : { lie, providers: 2, hasFaultyProvider: true };
  const chain = { ...chainSetup(definition, CONFIRMATIONS), finalityBlocks: 2, ...faulty };
  const setup: Setup = { apps: [appSetup(1, 'prompt')], chains: [chain] };
  const weather = { twoWatchers: false, twoNotifiers: false, twoMaintainers: false, webhooksUnderWay: 4 };
  return {
    setup,
    moods,
    weather: { ...calm(drawWeather(new Chance(1, 'calm'))), ...weather },
    orderPlans: (chains) =>
      Array.from({ length: orders }, (_, number) => planFor(number, setup, chains, plot)),
    togetherShare: orders > 1 ? 1 : 0,
    pay: (chance, order, chains, nowMs) => {
      let drawn = paymentsOf(manner, chance, order, chains, nowMs);
      // Drawn as a single part, the payment would be an exact one.
      while (manner === 'parts' && drawn.length < 2) drawn = paymentsOf(manner, chance, order, chains, nowMs);
      // The time of a late payment depends on the expiry; all other payments are sent at once.
      const payments = drawn.map(
        (payment): Payment => (manner === 'late' ? payment : { ...payment, atMs: nowMs }),
      );
      return { manner, payments };
    },
    onRound: (sim) => {
      if (fork !== undefined && !forked.has(sim)) forkPayment(sim, fork);
    },
  };
}

function planFor(number: number, { apps }: Setup, chains: readonly SimChain[], plot: Plot): OrderPlan {
  const { fiat = false, coin = false } = plot;
  const [app] = apps;
  const [chain] = chains;
  const currency = chain?.definition.currencies.find(({ contract }) => (contract === null) === coin);
  if (app === undefined || chain === undefined || currency === undefined)
    throw new Error('the setup is empty');
  return {
    app,
    chain,
    currency,
    outTradeNo: `order-${number}`,
    tokenAmount: fiat ? null : '12.5',
    fiatName: fiat ? 'USD' : null,
    fiatAmount: fiat ? '99.99' : null,
    callbackUrl: null,
    redirectUrl: null,
    twinOf: null,
    lifeS: 100,
    timeOuts: [],
  };
}

const forked = new WeakSet<Simulation>();

/** Once in a run, as soon as the newest block holds a payment. */
function forkPayment(sim: Simulation, fate: Fate): void {
  for (const chain of sim.chains) {
    if (chain.tip.transactions.length === 0 || chain.maxForkDepth === 0) continue;
    forked.add(sim);
    sim.note(`${chain.definition.name} forks; ${chain.fork(1, sim.trace.steps, fate)}`);
  }
}
