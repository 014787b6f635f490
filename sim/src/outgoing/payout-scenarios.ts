// Scripted scenarios of payouts: one order is paid, collected and paid out, and one thing goes wrong.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import { eth } from '@ducat/core/chain/definitions/eth';
import { tron } from '@ducat/core/chain/definitions/tron';
import { appSetup, chainSetup, type Setup } from '../actors/setup.ts';
import { type Manner, paymentsOf } from '../actors/shoppers.ts';
import type { OrderPlan } from '../actors/order-plans.ts';
import type { SentTransaction } from '../nodes/sim-block.ts';
import type { SimChain } from '../nodes/sim-chain.ts';
import type { Script, Simulation } from '../simulation.ts';
import { Chance } from '../world/chance.ts';
import { calm, drawWeather } from '../world/weather.ts';
import { delegatedBy, transactionsUpTo } from './chain/stake.ts';
import { sweptIn } from './chain/sweeping.ts';
import type { Outgoing } from './outgoing.ts';
import { askForPayout, cancelSomePayout, declineApproved } from './payout-moves.ts';
import { recipient } from './payout-plans.ts';
import { readCollected, readRefundable } from './refunds/refund-books.ts';
import { planRefund, sendReceiptBack } from './refunds/refund-moves.ts';

type Trouble =
  | 'forgotten'
  | 'dropped by a fork'
  | 'too dear'
  | 'far too dear'
  | 'reverts'
  | 'expires'
  | 'lies'
  | 'cancelled'
  | 'taken'
  | 'pushed'
  | 'refused'
  | 'order sent back'
  | 'receipt sent back'
  | 'declined';

interface Plot {
  readonly definition?: ChainDefinition;
  readonly coin?: boolean;
  /** The amount of an order in tokens. */
  readonly tokenAmount?: string;
  /** How many payouts are asked for. Each asks for `share` of the balance. */
  readonly payouts?: number;
  /** The share of the balance that each payout asks for, in percent. */
  readonly share?: number;
  /** Whether a second person has to approve. */
  readonly withApproval?: boolean;
  readonly trouble?: Trouble;
  /** The transaction that the trouble hits; the payout's, unless said otherwise. */
  readonly of?: Befallen;
  /** The operator's stake, in transfers that it covers at once. */
  readonly stakedTransfers?: number;
  /** The number of orders and how each is paid; one order by default, and exactly. */
  readonly orders?: number;
  readonly manner?: Manner;
  /** Whether several orders are paid whose addresses are swept together. */
  readonly sponsored?: boolean;
}

/** What one of our transactions is for. */
type Befallen = 'payout' | 'collection' | 'delegate' | 'undelegate' | 'deploy' | 'sweep';

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
  'prices rise above what a payout may cost': { trouble: 'far too dear' },
  'a node lies that it knows a payout': { trouble: 'lies' },
  'a person cancels what is on its way': { trouble: 'cancelled' },
  'two payouts wait for a second person': { payouts: 2, share: 40, withApproval: true },
  'a second person declines what another one approved': { withApproval: true, trouble: 'declined' },
  'a payout fails': { trouble: 'reverts' },
  'a payout on Tron expires and is built anew': { definition: tron, trouble: 'expires' },
};

const staked: Plot = { definition: tron, stakedTransfers: 2 };

/** The token is moved with energy of the operator's stake, which has to come back whatever happens. */
const stakedPlots: Readonly<Record<string, Plot>> = {
  'a token is collected by a stake': staked,
  'a fork drops a delegation': { ...staked, trouble: 'dropped by a fork', of: 'delegate' },
  'a delegation expires and is built anew': { ...staked, trouble: 'expires', of: 'delegate' },
  'a fork drops what takes energy back': { ...staked, trouble: 'dropped by a fork', of: 'undelegate' },
  'what takes energy back expires': { ...staked, trouble: 'expires', of: 'undelegate' },
  'what takes energy back fails': { ...staked, trouble: 'reverts', of: 'undelegate' },
  'the transfer by a stake fails': { ...staked, trouble: 'reverts', of: 'collection', payouts: 0 },
  'the staker takes its energy back': { ...staked, trouble: 'taken', of: 'collection' },
};

const swept: Plot = { sponsored: true, of: 'sweep' };

/**
 * Several addresses are emptied by one transaction. Each has to be emptied once, whatever becomes of the transaction.
 */
const sweptPlots: Readonly<Record<string, Plot>> = {
  'tokens are swept together': swept,
  'a sweep is forgotten by its pool': { ...swept, trouble: 'forgotten' },
  'a fork drops a sweep': { ...swept, trouble: 'dropped by a fork' },
  'a fork drops the sweeper': { ...swept, trouble: 'dropped by a fork', of: 'deploy' },
  'a sweep offers more': { ...swept, trouble: 'too dear' },
  'a sweep fails': { ...swept, trouble: 'reverts' },
  'the sweeper is not made': { ...swept, trouble: 'reverts', of: 'deploy' },
  'a stranger is faster than a sweep': { ...swept, trouble: 'pushed' },
  'nodes refuse a sweep': { ...swept, trouble: 'refused' },
};

const sentBack: Plot = { payouts: 0, orders: 3 };

/** Two people send the same money back at the same time, and the balance is enough for both. */
const sentBackPlots: Readonly<Record<string, Plot>> = {
  'an order is sent back twice': { ...sentBack, trouble: 'order sent back' },
  'a receipt is sent back twice': { ...sentBack, manner: 'twice', trouble: 'receipt sent back' },
  'an unassigned receipt is sent back twice': {
    ...sentBack,
    // That many units of a token are worth sending back; the same units of coin would be dust.
    coin: true,
    tokenAmount: '0.00000001',
    manner: 'wrong token',
    trouble: 'receipt sent back',
  },
};

const SWEPT_ORDERS = 3;
const CONFIRMATIONS = 2;
/** For how many rounds prices stay high. */
const DEAR_ROUNDS = 3;
const DEAR = 3;
const FAR_TOO_DEAR = 50;

export const payoutScenarios: Readonly<Record<string, Script>> = Object.fromEntries(
  Object.entries({ ...plots, ...stakedPlots, ...sweptPlots, ...sentBackPlots }).map(([name, plot]) => [
    name,
    scriptOf(plot),
  ]),
);

function scriptOf(plot: Plot): Script {
  const { definition = eth, payouts = 1, share = 100, withApproval = false, trouble } = plot;
  const approvalAbove = withApproval ? 0n : null;
  const app = { ...appSetup(1, 'prompt'), payoutFeePpm: 300, feesDeducted: true, approvalAbove };
  const setup: Setup = {
    apps: [app],
    chains: [{ ...chainSetup(definition, CONFIRMATIONS), finalityBlocks: 2 }],
  };
  const weather = { twoWatchers: false, twoNotifiers: false, twoMaintainers: false, webhooksUnderWay: 4 };
  const troubles = new WeakMap<Simulation, TroubleState>();
  return {
    setup,
    moods: [],
    stakedTransfers: plot.stakedTransfers ?? 0,
    sponsored: plot.sponsored ?? false,
    weather: { ...calm(drawWeather(new Chance(1, 'calm'))), ...weather },
    orderPlans: (chains) =>
      Array.from({ length: plot.orders ?? (plot.sponsored === true ? SWEPT_ORDERS : 1) }, (_, number) => ({
        ...planOf(setup, chains, plot),
        outTradeNo: `order-${number}`,
      })),
    togetherShare: 0,
    pay: (chance, order, chains, nowMs) => {
      const { manner = 'exact' } = plot;
      const payments = paymentsOf(manner, chance, order, chains, nowMs);
      return { manner, payments: payments.map((one) => ({ ...one, atMs: nowMs })) };
    },
    payouts: ({ chains }) =>
      Array.from({ length: payouts }, (_, number) => {
        const { chain, currency } = planOf(setup, chains, plot);
        const toAddress = recipient(new Chance(number, 'recipient'), chain);
        const open = { amount: null, answer: null, isRefused: false, asked: [], refundOf: null };
        return {
          app,
          chain,
          currency,
          key: `key:payout-${number}`,
          toAddress,
          share,
          repeats: 0,
          ...open,
        };
      }),
    onRound: async (sim) => {
      if (trouble === undefined) return;
      const state = troubles.get(sim) ?? { rounds: 0, txId: null };
      troubles.set(sim, state);
      await makeTrouble(sim, trouble, plot.of ?? 'payout', state);
    },
  };
}

function planOf(
  { apps }: Setup,
  chains: readonly SimChain[],
  { coin = false, tokenAmount = '5000' }: Plot,
): OrderPlan {
  const [app] = apps;
  const [chain] = chains;
  const currency = chain?.definition.currencies.find(({ contract }) => (contract === null) === coin);
  if (app === undefined || chain === undefined || currency === undefined)
    throw new Error('the setup is empty');
  const nothing = { fiatName: null, fiatAmount: null, callbackUrl: null, redirectUrl: null, twinOf: null };
  return {
    app,
    chain,
    currency,
    outTradeNo: 'order-0',
    tokenAmount,
    lifeS: 100,
    timeOuts: [],
    ...nothing,
  };
}

interface TroubleState {
  rounds: number;
  /** The first transaction that the trouble hit. */
  txId: string | null;
}

/** Makes the trouble, once in a run, as soon as the transaction is where the trouble can hit it. */
async function makeTrouble(
  sim: Simulation,
  trouble: Trouble,
  of: Befallen,
  state: TroubleState,
): Promise<void> {
  for (const chain of sim.chains) {
    const waiting = chain.mempool.find((one) => isFor(one, of));
    switch (trouble) {
      case 'forgotten':
        if (state.txId === null && waiting !== undefined) forget(sim, chain, waiting, state);
        break;
      case 'expires':
        if (waiting !== undefined && (state.txId ?? waiting.txId) === waiting.txId)
          forget(sim, chain, waiting, state);
        break;
      case 'dropped by a fork':
        if (state.txId === null) dropByFork(sim, chain, of, state);
        break;
      case 'too dear':
        if (waiting !== undefined || state.rounds > 0) raisePrices(sim, chain, state, DEAR);
        break;
      case 'far too dear':
        if (waiting !== undefined || state.rounds > 0) raisePrices(sim, chain, state, FAR_TOO_DEAR);
        break;
      case 'lies':
        lieOnce(sim, chain, waiting, state);
        break;
      case 'cancelled':
        if (sim.outgoing !== null && waiting !== undefined) await cancelSomePayout(sim, sim.outgoing);
        break;
      case 'reverts':
        revertOnce(sim, chain, waiting, state);
        break;
      case 'taken':
        takeEnergy(sim, chain, waiting, state);
        break;
      case 'pushed':
        pushBefore(sim, chain, waiting, state);
        break;
      case 'refused':
        if (sim.outgoing !== null) sim.outgoing.onlyMood = 'refuses sweeps';
        break;
      case 'declined':
        if (sim.outgoing !== null && state.rounds === 0)
          state.rounds = (await declineApproved(sim, sim.outgoing)) ? 1 : 0;
        break;
      case 'order sent back':
        if (sim.outgoing !== null && state.rounds === 0) await sendOrderBack(sim, sim.outgoing, state);
        break;
      case 'receipt sent back':
        if (sim.outgoing !== null && state.rounds === 0) await sendFirstReceiptBack(sim, sim.outgoing, state);
    }
  }
}

/** Asks twice for a refund of the whole first order, once all orders are paid. */
async function sendOrderBack(sim: Simulation, outgoing: Outgoing, state: TroubleState): Promise<void> {
  const { answered, script } = sim;
  const [first] = answered;
  const isPaid = await Promise.all(
    answered.map(async ({ tradeNo }) => (await readCollected(sim.real.reader, tradeNo)) > 0n),
  );
  if (first === undefined || script === null || isPaid.length < 2 || isPaid.includes(false)) return;
  state.rounds++;
  const plans = [await planRefund(sim, outgoing, first, 100), await planRefund(sim, outgoing, first, 100)];
  for (const plan of plans) if (plan !== null) await askForPayout(sim, plan);
}

async function sendFirstReceiptBack(sim: Simulation, outgoing: Outgoing, state: TroubleState): Promise<void> {
  const [first, ...others] = await readRefundable(sim.real.reader);
  if (first === undefined || others.length === 0) return;
  state.rounds++;
  await sendReceiptBack(sim, outgoing, first);
  await sendReceiptBack(sim, outgoing, first);
}

function isFor({ outgoing }: SentTransaction, of: Befallen): boolean {
  if (outgoing === undefined) return false;
  const { intent } = outgoing;
  if (of === 'payout' || of === 'collection') return intent.subject.kind === of;
  return intent.family === 'tron' ? intent.action.type === of : intent.sweeping?.type === of;
}

function forget(sim: Simulation, chain: SimChain, gone: SentTransaction, state: TroubleState): void {
  state.txId = gone.txId;
  chain.mempool = chain.mempool.filter((one) => one !== gone);
  sim.note(`the pool of ${chain.definition.name} forgets ${gone.txId.slice(0, 10)}`);
}

function revertOnce(
  sim: Simulation,
  chain: SimChain,
  waiting: SentTransaction | undefined,
  state: TroubleState,
): void {
  const { outgoing } = waiting ?? {};
  if (waiting === undefined || outgoing === undefined || state.txId !== null) return;
  state.txId = waiting.txId;
  const reverting = { ...waiting, outgoing: { ...outgoing, reverts: true } };
  chain.mempool = chain.mempool.map((one) => (one === waiting ? reverting : one));
  sim.note(`${waiting.txId.slice(0, 10)} will revert`);
}

/** The staker's own key takes the energy back while the transfer that needs it waits. */
function takeEnergy(
  sim: Simulation,
  chain: SimChain,
  waiting: SentTransaction | undefined,
  state: TroubleState,
): void {
  const to = waiting?.outgoing?.from ?? '';
  const out = delegatedBy(transactionsUpTo(chain.tip)).get(to);
  if (waiting === undefined || out === undefined || state.txId !== null) return;
  state.txId = waiting.txId;
  chain.mempool.push({ ...chain.invent([]), delegated: { to, sun: -out.stake } });
  sim.note(`the staker takes ${out.stake} sun back from …${to.slice(-6)}`);
}

/** A stranger reuses the authorisations of a sweep that waits, and empties its first address. */
function pushBefore(
  sim: Simulation,
  chain: SimChain,
  waiting: SentTransaction | undefined,
  state: TroubleState,
): void {
  const intent = waiting?.outgoing?.intent;
  if (waiting === undefined || intent?.family !== 'evm' || state.txId !== null) return;
  const [first] = sweptIn(intent);
  if (first === undefined) return;
  forget(sim, chain, waiting, state);
  const { address } = first;
  chain.mempool.push({ ...chain.invent([]), stranger: { intent, address } });
  sim.note(`a stranger sweeps …${address.slice(-6)}`);
}

/** The mempool forgets the payout. When the payout is sent again, nodes do not take it but claim that they know it. */
function lieOnce(
  sim: Simulation,
  chain: SimChain,
  waiting: SentTransaction | undefined,
  state: TroubleState,
): void {
  const { outgoing } = sim;
  if (outgoing === null) return;
  if (waiting !== undefined && state.txId === null) {
    forget(sim, chain, waiting, state);
    outgoing.onlyMood = 'lies';
    return;
  }
  if (state.txId !== null && ++state.rounds >= DEAR_ROUNDS) outgoing.onlyMood = null;
}

function dropByFork(sim: Simulation, chain: SimChain, of: Befallen, state: TroubleState): void {
  const mined = chain.tip.transactions.find((one) => isFor(one, of));
  if (mined === undefined || chain.maxForkDepth === 0) return;
  state.txId = mined.txId;
  sim.note(`${chain.definition.name} forks; ${chain.fork(1, sim.trace.steps, 'dropped')}`);
}

/** Prices stay high until the transaction has been replaced, because its first offer does not cover them. */
function raisePrices(
  { outgoing }: Simulation,
  { definition }: SimChain,
  state: TroubleState,
  dear: number,
): void {
  const factor = ++state.rounds <= DEAR_ROUNDS ? dear : 1;
  outgoing?.markets.get(definition.name)?.spike(factor);
}
