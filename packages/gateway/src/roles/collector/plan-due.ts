// Decides about a due holding: a plan to collect it now, or the time of its next look and the reason why it stays.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { isNativeCurrency } from '@ducat/core/chain/currency';
import {
  cheaperOf,
  type CollectionPlan,
  movableOf,
  planCollection,
  planDelegated,
} from '@ducat/core/collection/plan';
import { decideCost, worthOf } from '@ducat/core/collection/worth';
import { add, type Amount, amountOf, compare, isPositive } from '@ducat/core/money/amount';
import type { StakeKey, TransferEstimate } from '../../chains/port/writer.ts';
import type { DueHolding, HoldingLook } from '../../db/tables/collections/holdings.ts';
import { Outage } from '../../runtime/outage.ts';
import { estimateFunding, type FundingEstimate } from './estimate-funding.ts';
import type { LeasedCollector } from './parts.ts';
import type { Values } from './values.ts';
import { appWallet, gasWallet } from './wallets.ts';

const MINUTE_MS = 60 * 1_000;
const HOUR_MS = 60 * MINUTE_MS;
/** The pause while another currency of the address is collected: an address is emptied of one currency at a time. */
const BUSY_MS = MINUTE_MS;
/** Network prices change, so a small holding is looked at again after this time. A new deposit causes a look at once. */
const SMALL_MS = 6 * HOUR_MS;
const BUDGET_PAUSE_MS = 15 * MINUTE_MS;
const GAS_PAUSE_MS = 5 * MINUTE_MS;
const AWAY_MS = 2 * MINUTE_MS;
/** A token contract that froze an address may release it, and another estimate costs nothing. */
const FROZEN_MS = 24 * HOUR_MS;
const MOST_REASON = 300;

export interface Surroundings {
  readonly values: Values;
  /** What the collections of the last 24 hours were expected to cost, including those of this round. */
  readonly spent: Amount;
  /** Stake whose delegation was requested and may not show on the chain yet, including the requests of this round. */
  readonly underway: Amount;
  /** Whether a payout of the app waits for the holding's currency. */
  readonly isDemanded: boolean;
}

export type Planned =
  | { readonly kind: 'empty' }
  | { readonly kind: 'look'; readonly look: HoldingLook }
  | {
      readonly kind: 'start';
      readonly plan: CollectionPlan;
      readonly wallet: string;
      readonly gasWallet: string;
      readonly fundingFeeCap: Amount;
      readonly cost: Amount;
    };

/** Throws Outage where the signer or the gas wallet's chain is away. */
export async function planDue(
  collector: LeasedCollector,
  holding: DueHolding,
  around: Surroundings,
): Promise<Planned> {
  const { writer, policy, world } = collector;
  const { definition } = writer;
  const nowMs = world.nowMs();
  const later = laterOf(holding, nowMs);
  const currency = definition.currencies.find(({ currencyId }) => currencyId === holding.currencyId);
  if (currency === undefined) return later('waiting', HOUR_MS, 'the currency is not configured any more');
  if (holding.isBusy) return later('waiting', BUSY_MS, null);
  const isNative = isNativeCurrency(currency);
  const movable = movableOf(holding.held, definition.family, isNative);
  const value = isPositive(movable) ? around.values(movable, 'down') : 0n;
  const { sinceMs, minOperableValue: minOfApp } = holding;
  const { isDemanded } = around;
  const worth = worthOf({ movable, value, sinceMs, isDemanded, minOfApp }, policy, nowMs);
  if (worth.kind === 'empty') return { kind: 'empty' };
  if (worth.kind === 'small') return later('small', SMALL_MS, 'it is worth less than the threshold');
  if (worth.kind === 'later') return later('waiting', worth.atMs - nowMs, worth.reason);
  const wallet = await appWallet(collector, holding.appId);
  const offerOf = isNative ? null : await stakeKey(collector, holding);
  const estimate = await unlessAway(
    writer.estimate({ from: holding.address, to: wallet, currency, amount: movable, offerOf }),
  );
  // One token that does not answer must not keep the others waiting.
  if (estimate instanceof Outage) return later('waiting', AWAY_MS, `no answer: ${estimate.message}`);
  // mark: frozen-is-shown-and-not-tried
  if (estimate.outcome === 'impossible')
    return later('frozen', FROZEN_MS, `${estimate.reason}: ${estimate.text}`);
  const missing = estimate.shortOf.find(
    ({ needed, held }) => needed.currencyId === currency.currencyId && compare(held, movable) < 0,
  );
  if (missing !== undefined) return later('waiting', HOUR_MS, 'the chain shows less than the books');
  const { held, nativeHeld } = holding;
  const emptying = { family: definition.family, isNative, held, nativeHeld };
  const burning = planCollection({ ...emptying, transfer: estimate });
  if (burning === null) return later('small', SMALL_MS, 'it does not cover its own transfer');
  const { offer = null } = estimate;
  const delegated = offer === null ? null : planDelegated(emptying, offer, around.underway);
  const plans = delegated === null ? [burning] : [burning, delegated];
  const priced = await Promise.all(
    plans.map((plan) => pricePlan(collector, holding.address, plan, estimate)),
  );
  return decide(collector, holding, around, { priced: priced.reduce(cheaperOf), wallet, value: value ?? 0n });
}

/** Null after a failed attempt: the next attempt burns coin, because the stake may have caused the failure. */
async function stakeKey(collector: LeasedCollector, { failures }: DueHolding): Promise<StakeKey | null> {
  const { staker } = collector.policy;
  // mark: burnt-after-a-failure
  if (staker === null || failures > 0) return null;
  const signer = await gasWallet(collector);
  // If the gas wallet were the staker, the books would not know its stake and its fees.
  return staker.address === signer ? null : { staker, signer };
}

/** What the chain responds, or its Outage as a value: one request without a response must not keep the others waiting. */
export async function unlessAway<T>(asked: Promise<T>): Promise<T | Outage> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Outage) return error;
    throw error;
  }
}

type Later = (state: HoldingLook['state'], afterMs: number, reason: string | null) => LaterLook;
type LaterLook = Extract<Planned, { readonly kind: 'look' }>;

/** Makes the results that postpone this holding: its state, the delay in milliseconds, and the reason. */
export function laterOf(holding: DueHolding, nowMs: number): Later {
  return (state, afterMs, reason) => ({
    kind: 'look',
    look: { holding, state, nextAtMs: nowMs + afterMs, reason: reason?.slice(0, MOST_REASON) ?? null },
  });
}

interface PricedPlan {
  readonly plan: CollectionPlan;
  readonly cost: Amount;
  /** The funding that the gas wallet sends first; null where none is needed. */
  readonly funded: FundingEstimate | null;
  /** The gas wallet, whose key sends coin or delegates; empty where it does neither. */
  readonly signer: string;
}

type Possible = Extract<TransferEstimate, { readonly outcome: 'possible' }>;

/** Throws Outage where the signer or the gas wallet's chain is away. */
async function pricePlan(
  collector: LeasedCollector,
  address: string,
  plan: CollectionPlan,
  estimate: Possible,
): Promise<PricedPlan> {
  const { funding } = plan;
  const own = ownCost(plan, estimate);
  if (funding === null)
    return { plan, cost: own, funded: null, signer: plan.stake === null ? '' : await gasWallet(collector) };
  const funded = await estimateFunding(collector, address, funding);
  return { plan, cost: add(own, funded.expected), funded, signer: funded.from };
}

function ownCost({ method, gas }: CollectionPlan, { expected, offer = null }: Possible): Amount {
  if (method === 'native') return gas;
  return method === 'delegated' && offer !== null ? add(offer.rest, offer.cost) : expected;
}

interface Candidate {
  readonly priced: PricedPlan;
  readonly wallet: string;
  readonly value: bigint;
}

/** Starts the plan where the policy and the day's budget allow its cost; postpones the holding otherwise. */
function decide(
  { policy, world, observer, writer, log }: LeasedCollector,
  holding: DueHolding,
  { values, spent }: Surroundings,
  { priced: { plan, cost, funded, signer }, wallet, value }: Candidate,
): Planned {
  const later = laterOf(holding, world.nowMs());
  const costValue = values(cost, 'up');
  if (costValue === null) return later('waiting', GAS_PAUSE_MS, 'the cost of its transfer is unknown');
  const verdict = decideCost({ value, cost, costValue, spent }, policy);
  if (verdict === 'too-dear') return later('small', SMALL_MS, 'moving it costs too much of what it is worth');
  if (verdict === 'over-budget')
    return later('waiting', BUDGET_PAUSE_MS, "the day's budget has no room for it");
  if (funded !== null) {
    const chain = writer.definition.name;
    observer.onGasShort(chain, funded.isShort);
    if (funded.isShort) {
      log.error({ chain, wallet: funded.from }, 'the gas wallet has too little to collect');
      return later('waiting', GAS_PAUSE_MS, 'the gas wallet has too little');
    }
  }
  const native = nativeCurrency(writer.definition).currencyId;
  const fundingFeeCap = funded?.feeCap ?? amountOf(native, 1n);
  return { kind: 'start', plan, wallet, gasWallet: signer, fundingFeeCap, cost };
}
