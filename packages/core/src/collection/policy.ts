// When an operator wants deposit addresses emptied, on one chain.
import type { Amount } from '../money/amount.ts';
import type { Staker } from '../signing/transfer-intent.ts';

/** Digits behind the point of a value in USDT. Holdings and the costs of moving them are compared as such values. */
export const VALUE_DECIMALS = 6;

export interface CollectionPolicy {
  /** A holding that is worth less stays at its address; units of 10^-6 USDT. */
  readonly minValue: bigint;
  /** The most that moving a holding may cost, in parts per million of its worth. */
  readonly maxCostPpm: bigint;
  /** How long a holding waits before it is moved, so that later deposits to its address are moved with it. */
  readonly windowMs: number;
  /** The most that collections begun within 24 hours are expected to cost together, in the native currency. */
  readonly dailyBudget: Amount;
  /** For so many payouts each wallet that pays out gets coin from the gas wallet. */
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

/** The runway is too short where one of its figures is below the limit. */
export interface RunwayLimits {
  readonly days: bigint;
  readonly payouts: bigint;
}

export const BUDGET_MS = 24 * 60 * 60 * 1_000;
