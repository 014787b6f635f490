// How a deposit address is emptied of one currency: how much leaves it, and what has to be paid in before.
import { assert } from '../assert.ts';
import type { ChainFamily } from '../chain/chain.ts';
import { add, type Amount, amountOf, compare, divide, isPositive, subtract } from '../money/amount.ts';
import type { SendingTerms } from '../outgoing/terms.ts';
import type { Staker } from '../signing/transfer-intent.ts';
import type { StakeOffer } from './stake-offer.ts';

/**
 * - `native`: the coin itself, less exactly what its transfer costs.
 * - `plain`: a token, at an address that already holds the coin for its transfer.
 * - `funded`: a token, after the gas wallet sent exactly the coin that is missing for its transfer. On Tron this
 *   activates the account, and the energy is burnt.
 * - `delegated`: a token on Tron, with energy of the operator's stake, which is taken back afterwards. An account that was
 *   never activated is funded before, with next to nothing.
 * - `sponsored`: a token on an EVM chain, by one transaction of the gas wallet for many addresses. These addresses authorise
 *   the sweeper of their wallet for it.
 */
export type CollectionMethod = 'native' | 'plain' | 'funded' | 'delegated' | 'sponsored';

/** Energy that an address gets for its transfer. */
export interface PlannedStake {
  readonly staker: Staker;
  readonly amount: Amount;
}

export interface CollectionPlan {
  readonly method: CollectionMethod;
  /** What leaves the address for the wallet. */
  readonly amount: Amount;
  /** The most that the transfer may cost. The address holds so much coin by then. */
  readonly gas: Amount;
  /** What the gas wallet sends before; null where nothing is missing. */
  readonly funding: Amount | null;
  /** The stake that is delegated before; null where none is. */
  readonly stake: PlannedStake | null;
}

/** What it costs now to transfer all that the address holds to the wallet. */
export interface TransferCost {
  readonly terms: SendingTerms;
  /** The most that the transfer can cost on these terms, in the native currency. */
  readonly most: Amount;
}

export interface Emptying {
  readonly family: ChainFamily;
  readonly isNative: boolean;
  /** What the address holds of the currency, and of the native one: final, by the books. */
  readonly held: Amount;
  readonly nativeHeld: Amount;
  readonly transfer: TransferCost;
}

/** In percent of the current price: the base fee of Ethereum rises by an eighth a block at most. */
const PRICE_MARGIN = 125n;

/** Base units of a token that stay at an address on Tron: if it held none, its next payer would need twice the energy. */
const LEFT_ON_TRON = 1n;

/** How much of a holding can leave its address, before the fee of the transfer is deducted; may be negative. */
export function movableOf(held: Amount, family: ChainFamily, isNative: boolean): Amount {
  const left = family === 'tron' && !isNative ? LEFT_ON_TRON : 0n;
  return subtract(held, amountOf(held.currencyId, left));
}

/** Null where coin does not cover the fee of its own transfer, and where nothing of a token can leave. */
export function planCollection(emptying: Emptying): CollectionPlan | null {
  const { family, isNative, held, nativeHeld } = emptying;
  const gas = gasOf(emptying);
  if (isNative) {
    assert(compare(held, nativeHeld) === 0, 'the coin that is moved is the coin that pays');
    const amount = subtract(held, gas);
    return isPositive(amount) ? { method: 'native', amount, gas, funding: null, stake: null } : null;
  }
  const amount = movableOf(held, family, isNative);
  if (!isPositive(amount)) return null;
  const missing = subtract(gas, nativeHeld);
  if (!isPositive(missing)) return { method: 'plain', amount, gas, funding: null, stake: null };
  return { method: 'funded', amount, gas, funding: missing, stake: null };
}

/**
 * The plan by delegated energy. Null where the currency needs no energy, where nothing can leave, and where too little of
 * the stake is free. `underway` is stake that was requested already and may not show in the offer yet.
 */
export function planDelegated(
  { family, isNative, held, nativeHeld }: Omit<Emptying, 'transfer'>,
  offer: StakeOffer,
  underway: Amount,
): CollectionPlan | null {
  const amount = movableOf(held, family, isNative);
  if (isNative || !isPositive(amount)) return null;
  const { staker, stake, free, rest } = offer;
  // mark: no-more-than-the-free-stake
  if (compare(add(stake, underway), free) > 0) return null;
  const gas = atLeastOne(rest);
  const missing = subtract(gas, nativeHeld);
  const funding = isPositive(missing) ? missing : null;
  return { method: 'delegated', amount, gas, funding, stake: { staker, amount: stake } };
}

/** The one that costs less; where both cost the same, the one that needs no stake. */
export function cheaperOf<Priced extends { readonly plan: CollectionPlan; readonly cost: Amount }>(
  one: Priced,
  other: Priced,
): Priced {
  const order = compare(one.cost, other.cost);
  if (order === 0) return one.plan.stake === null ? one : other;
  return order < 0 ? one : other;
}

/** A whole multiple of the gas limit, so that a transfer that offers all of it as its fee leaves no coin behind. */
function gasOf({ transfer: { terms, most } }: Emptying): Amount {
  if (terms.family === 'tron') return atLeastOne(most);
  const perGas = divide(terms.priceThen * PRICE_MARGIN, 100n, 'up');
  return amountOf(most.currencyId, perGas * terms.gasLimit);
}

/** A transfer on Tron may cost nothing, but a fee cap is more than zero. */
function atLeastOne(amount: Amount): Amount {
  return isPositive(amount) ? amount : amountOf(amount.currencyId, 1n);
}
