// What an operator's stake on Tron could do for a collection: its energy is delegated to the address, and taken back.
import type { Amount } from '../money/amount.ts';
import type { Staker } from '../signing/transfer-intent.ts';

/** What a quorum of providers says that a staker can do for one transfer now. In the native currency. */
export interface StakeOffer {
  readonly staker: Staker;
  /** What has to be delegated so that the transfer burns no energy. */
  readonly stake: Amount;
  /** What the staker can delegate. */
  readonly free: Amount;
  /** What delegating and taking back burn of the staker's coin. */
  readonly cost: Amount;
  /** What the transfer itself still burns at its address. */
  readonly rest: Amount;
}

/** A staker's account as it stands. In the native currency. */
export interface StakeReport {
  /** For energy: its own, whether it is delegated or not. */
  readonly staked: Amount;
  readonly delegated: Amount;
  /** Canonical addresses of the accounts that have energy or bandwidth of it. */
  readonly receivers: readonly string[];
  /** What can be delegated now; what was used today cannot. */
  readonly free: Amount;
  /** Coin of the account, which pays for what delegating burns. */
  readonly coin: Amount;
  /** Whether its permission lets our key delegate and take back. */
  readonly isPermitted: boolean;
  /** For bandwidth: its own, whether it is delegated or not. */
  readonly stakedForBandwidth: Amount;
  /** Taken back from either: coin again once it thaws. */
  readonly unfreezing: Amount;
  /** When the next of it thaws; null where none does. */
  readonly thawsAtMs: number | null;
  /** What the stake that is not delegated gives, and what of it is used up now. */
  readonly energy: ResourceUse;
  readonly bandwidth: ResourceUse;
  /** Bandwidth that every account has for nothing. */
  readonly freeBandwidth: ResourceUse;
  /** What all that is staked for energy brings in 24 hours, delegated or not. */
  readonly energyADay: bigint;
  /** What one unit of energy costs that is burnt. */
  readonly energyPrice: Amount;
}

/** What of a stake one account has: all of it, and the part without a lock. In the native currency. */
export interface DelegatedStake {
  readonly stake: Amount;
  readonly withoutLock: Amount;
}

/** In units of energy, or bytes of bandwidth. What is used comes back evenly within 24 hours. */
export interface ResourceUse {
  readonly limit: bigint;
  readonly used: bigint;
}
