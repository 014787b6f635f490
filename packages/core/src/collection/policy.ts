// When an operator wants deposit addresses emptied, on one chain.
import type { Amount } from '../money/amount.ts';
import type { Staker } from '../signing/transfer-intent.ts';

/** Digits behind the point of a value in USDT, in which what lies somewhere is compared with what moving it costs. */
export const VALUE_DECIMALS = 6;

export interface CollectionPolicy {
  /** What an address holds of a currency is left where it is while it is worth less; units of 10^-6 USDT. */
  readonly minValue: bigint;
  /** The most that moving it may cost, in parts per million of what it is worth. */
  readonly maxCostPpm: bigint;
  /** How long money lies before it is moved, so that what comes to one address meanwhile is moved at once. */
  readonly windowMs: number;
  /** The most that collections begun within 24 hours are expected to cost together, in the native currency. */
  readonly dailyBudget: Amount;
  /** For so many payouts the gas wallet leaves coin in each wallet that pays out. */
  readonly topUpPayouts: bigint;
  /** The most coin that the gas wallet sends to those wallets within 24 hours. */
  readonly topUpBudget: Amount;
  /** On Tron: the account whose stake gives energy, where that is cheaper than burning; null where none is configured. */
  readonly staker: Staker | null;
  /** On EVM chains: whether addresses of tokens are emptied together, by one transaction, where that costs less. */
  readonly sponsored: boolean;
  /** When the operator is warned that the gas wallet runs dry. */
  readonly runway: RunwayLimits;
}

/** Each is too little when it is below. */
export interface RunwayLimits {
  readonly days: bigint;
  readonly payouts: bigint;
}

export const BUDGET_MS = 24 * 60 * 60 * 1_000;
