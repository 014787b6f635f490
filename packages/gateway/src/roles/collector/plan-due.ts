// What a due holding comes to: a plan to move it now, or when it is looked at again and why it stays.
import { nativeCurrency } from '@ducat/core/chain/chain';
import { isNativeCurrency } from '@ducat/core/chain/currency';
import { type CollectionPlan, movableOf, planCollection } from '@ducat/core/collection/plan';
import { decideCost, worthOf } from '@ducat/core/collection/worth';
import { add, type Amount, amountOf, compare, isPositive } from '@ducat/core/money/amount';
import type { TransferEstimate } from '../../chains/port/writer.ts';
import type { DueHolding, HoldingLook } from '../../db/tables/collections/holdings.ts';
import { Outage } from '../../runtime/outage.ts';
import { estimateFunding } from './estimate-funding.ts';
import type { LeasedCollector } from './parts.ts';
import type { Values } from './values.ts';
import { appWallet } from './wallets.ts';

const MINUTE_MS = 60 * 1_000;
const HOUR_MS = 60 * MINUTE_MS;
/** One address is emptied of one currency after the other. */
const BUSY_MS = MINUTE_MS;
/** Prices of the network change; more that comes is looked at when it does. */
const SMALL_MS = 6 * HOUR_MS;
const BUDGET_PAUSE_MS = 15 * MINUTE_MS;
const GAS_PAUSE_MS = 5 * MINUTE_MS;
const AWAY_MS = 2 * MINUTE_MS;
/** A token that freezes an address may free it: asking costs nothing. */
const FROZEN_MS = 24 * HOUR_MS;
const MOST_REASON = 300;

export interface Surroundings {
  readonly values: Values;
  /** What the collections of the last 24 hours were expected to cost, those of this round with them. */
  readonly spent: Amount;
  /** Whether a payout of the app waits for it. */
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

type Possible = Extract<TransferEstimate, { readonly outcome: 'possible' }>;

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
  const { sinceMs } = holding;
  const worth = worthOf({ movable, value, sinceMs, isDemanded: around.isDemanded }, policy, nowMs);
  if (worth.kind === 'empty') return { kind: 'empty' };
  if (worth.kind === 'small') return later('small', SMALL_MS, 'it is worth less than the threshold');
  if (worth.kind === 'later') return later('waiting', worth.atMs - nowMs, worth.reason);
  const wallet = await appWallet(collector, holding.appId);
  const estimate = await unlessAway(
    writer.estimate({ from: holding.address, to: wallet, currency, amount: movable }),
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
  const plan = planCollection({ family: definition.family, isNative, held, nativeHeld, transfer: estimate });
  if (plan === null) return later('small', SMALL_MS, 'it does not cover its own transfer');
  return priced(collector, holding, around, { plan, wallet, estimate, value: value ?? 0n });
}

async function unlessAway<T>(asked: Promise<T>): Promise<T | Outage> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof Outage) return error;
    throw error;
  }
}

type Later = (state: HoldingLook['state'], afterMs: number, reason: string | null) => Planned;

function laterOf(holding: DueHolding, nowMs: number): Later {
  return (state, afterMs, reason) => ({
    kind: 'look',
    look: { holding, state, nextAtMs: nowMs + afterMs, reason: reason?.slice(0, MOST_REASON) ?? null },
  });
}

interface Candidate {
  readonly plan: CollectionPlan;
  readonly wallet: string;
  readonly estimate: Possible;
  readonly value: bigint;
}

/** Whether it may cost what it would, the funding with it. */
async function priced(
  collector: LeasedCollector,
  holding: DueHolding,
  { values, spent }: Surroundings,
  { plan, wallet, estimate, value }: Candidate,
): Promise<Planned> {
  const { policy, world, observer, writer } = collector;
  const later = laterOf(holding, world.nowMs());
  const { funding } = plan;
  const funded = funding === null ? null : await estimateFunding(collector, holding.address, funding);
  const own = plan.method === 'native' ? plan.gas : estimate.expected;
  const cost = funded === null ? own : add(own, funded.expected);
  const costValue = values(cost, 'up');
  if (costValue === null) return later('waiting', GAS_PAUSE_MS, 'nobody can say what its transfer costs');
  const verdict = decideCost({ value, cost, costValue, spent }, policy);
  if (verdict === 'too-dear') return later('small', SMALL_MS, 'moving it costs too much of what it is worth');
  if (verdict === 'over-budget')
    return later('waiting', BUDGET_PAUSE_MS, "the day's budget has no room for it");
  if (funded !== null) {
    const chain = writer.definition.name;
    observer.onGasShort(chain, funded.isShort);
    if (funded.isShort) {
      collector.log.error({ chain, wallet: funded.from }, 'the gas wallet has too little to collect');
      return later('waiting', GAS_PAUSE_MS, 'the gas wallet has too little');
    }
  }
  const native = nativeCurrency(writer.definition).currencyId;
  const fundingFeeCap = funded?.feeCap ?? amountOf(native, 1n);
  return { kind: 'start', plan, wallet, gasWallet: funded?.from ?? '', fundingFeeCap, cost };
}
