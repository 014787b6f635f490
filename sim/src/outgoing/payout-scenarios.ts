// Scenarios of money out, written down instead of drawn: one order is paid, collected and paid out, and one thing goes wrong.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import { type Cast, castApp, castChain } from '../actors/cast.ts';
import { paymentsOf } from '../actors/shoppers.ts';
import type { Wish } from '../actors/wishes.ts';
import type { SentTransaction } from '../nodes/sim-block.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Script, Simulation } from '../simulation.ts';
import { Chance } from '../world/chance.ts';
import { calm, drawWeather } from '../world/weather.ts';
import { recipient } from './payout-wishes.ts';

type Trouble = 'forgotten' | 'dropped by a fork' | 'too dear' | 'reverts' | 'expires';

interface Plot {
  readonly definition?: ChainDefinition;
  readonly coin?: boolean;
  /** Payouts of the whole balance, of which one can be had. */
  readonly payouts?: number;
  readonly trouble?: Trouble;
}

const plots: Readonly<Record<string, Plot>> = {
  'a token is paid out on ETH': {},
  'coin is paid out on ETH': { coin: true },
  'a token is paid out on Tron': { definition: tron },
  'coin is paid out on Tron': { definition: tron, coin: true },
  'two want the whole balance': { payouts: 2 },
  'a payout is forgotten by its pool': { trouble: 'forgotten' },
  'a fork drops a payout on ETH': { trouble: 'dropped by a fork' },
  'a fork drops a payout on Tron': { definition: tron, trouble: 'dropped by a fork' },
  'a payout offers more': { trouble: 'too dear' },
  'a payout fails': { trouble: 'reverts' },
  'a payout on Tron expires and is built anew': { definition: tron, trouble: 'expires' },
};

const CONFIRMATIONS = 2;
/** So many rounds prices stay high. */
const DEAR_ROUNDS = 3;
const DEAR = 3;

export const payoutScenarios: Readonly<Record<string, Script>> = Object.fromEntries(
  Object.entries(plots).map(([name, plot]) => [name, scriptOf(plot)]),
);

function scriptOf(plot: Plot): Script {
  const { definition = eth, payouts = 1, trouble } = plot;
  const app = { ...castApp(1, 'prompt'), payoutFeePpm: 300, feesDeducted: true };
  const cast: Cast = {
    apps: [app],
    chains: [{ ...castChain(definition, CONFIRMATIONS), finalityBlocks: 2 }],
  };
  const weather = { twoWatchers: false, twoNotifiers: false, twoMaintainers: false, webhooksUnderWay: 4 };
  const troubles = new WeakMap<Simulation, TroubleState>();
  return {
    cast,
    moods: [],
    weather: { ...calm(drawWeather(new Chance(1, 'calm'))), ...weather },
    wishes: (chains) => [wishOf(cast, chains, plot)],
    togetherShare: 0,
    pay: (chance, order, chains, nowMs) => {
      const payments = paymentsOf('exact', chance, order, chains, nowMs);
      return { manner: 'exact', payments: payments.map((one) => ({ ...one, atMs: nowMs })) };
    },
    payouts: ({ chains }) =>
      Array.from({ length: payouts }, (_, number) => {
        const { chain, currency } = wishOf(cast, chains, plot);
        const toAddress = recipient(new Chance(number, 'recipient'), chain);
        const open = { amount: null, answer: null, isRefused: false, asked: [] };
        return {
          app,
          chain,
          currency,
          key: `key:payout-${number}`,
          toAddress,
          share: 100,
          repeats: 0,
          ...open,
        };
      }),
    onRound: (sim) => {
      if (trouble === undefined) return;
      const state = troubles.get(sim) ?? { rounds: 0, txId: null };
      troubles.set(sim, state);
      makeTrouble(sim, trouble, state);
    },
  };
}

function wishOf({ apps }: Cast, chains: readonly SimChain[], { coin = false }: Plot): Wish {
  const [app] = apps;
  const [chain] = chains;
  const currency = chain?.definition.currencies.find(({ contract }) => (contract === null) === coin);
  if (app === undefined || chain === undefined || currency === undefined)
    throw new Error('the cast is empty');
  const nothing = { fiatName: null, fiatAmount: null, callbackUrl: null, redirectUrl: null, twinOf: null };
  return {
    app,
    chain,
    currency,
    outTradeNo: 'order-0',
    tokenAmount: '5000',
    lifeS: 100,
    timeOuts: [],
    ...nothing,
  };
}

interface TroubleState {
  rounds: number;
  /** The transaction that it befell first. */
  txId: string | null;
}

/** Once in a run, as soon as the transaction of a payout is where it can befall it. */
function makeTrouble(sim: Simulation, trouble: Trouble, state: TroubleState): void {
  for (const chain of sim.chains) {
    const waiting = chain.mempool.find(isPayout);
    switch (trouble) {
      case 'forgotten':
        if (state.txId === null && waiting !== undefined) forget(sim, chain, waiting, state);
        break;
      case 'expires':
        if (waiting !== undefined && (state.txId ?? waiting.txId) === waiting.txId)
          forget(sim, chain, waiting, state);
        break;
      case 'dropped by a fork':
        if (state.txId === null) dropByFork(sim, chain, state);
        break;
      case 'too dear':
        if (waiting !== undefined || state.rounds > 0) raisePrices(sim, chain, state);
        break;
      case 'reverts':
        if (sim.outgoing !== null) sim.outgoing.weather = { ...sim.outgoing.weather, reverting: 1 };
    }
  }
}

function isPayout({ outgoing }: SentTransaction): boolean {
  return outgoing?.intent.subject.kind === 'payout';
}

function forget(sim: Simulation, chain: SimChain, gone: SentTransaction, state: TroubleState): void {
  state.txId = gone.txId;
  chain.mempool = chain.mempool.filter((one) => one !== gone);
  sim.tell(`the pool of ${chain.definition.name} forgets ${gone.txId.slice(0, 10)}`);
}

function dropByFork(sim: Simulation, chain: SimChain, state: TroubleState): void {
  const mined = chain.tip.transactions.find(isPayout);
  if (mined === undefined || chain.maxForkDepth === 0) return;
  state.txId = mined.txId;
  sim.tell(`${chain.definition.name} forks; ${chain.fork(1, sim.trace.steps, 'dropped')}`);
}

/** Until it has been replaced: what was offered first does not cover so much. */
function raisePrices({ outgoing }: Simulation, { definition }: SimChain, state: TroubleState): void {
  const factor = ++state.rounds <= DEAR_ROUNDS ? DEAR : 1;
  outgoing?.markets.get(definition.name)?.spike(factor);
}
