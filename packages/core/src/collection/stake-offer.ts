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
  /** The account's own stake for energy, delegated or not. */
  readonly staked: Amount;
  readonly delegated: Amount;
  /** Canonical addresses of the accounts that stake is delegated to, for energy or bandwidth. */
  readonly receivers: readonly string[];
  /** Stake that can be delegated now. Stake whose energy was used today cannot. */
  readonly free: Amount;
  /** Coin of the account: delegating burns some of it. */
  readonly coin: Amount;
  /** Whether the account's permission lets our key delegate and undelegate. */
  readonly isPermitted: boolean;
  /** The account's own stake for bandwidth, delegated or not. */
  readonly stakedForBandwidth: Amount;
  /** Stake for energy or bandwidth that was unstaked and is not coin yet. */
  readonly unfreezing: Amount;
  /** When the next part of it becomes coin; null where nothing is unfreezing. */
  readonly thawsAtMs: number | null;
  /** What the stake that is not delegated gives, and how much of that is used up now. */
  readonly energy: ResourceUse;
  readonly bandwidth: ResourceUse;
  /** Bandwidth that every account has for nothing. */
  readonly freeBandwidth: ResourceUse;
  /** Energy that all stake for energy brings in 24 hours, delegated or not. */
  readonly energyADay: bigint;
  /** The coin that is burnt for one unit of energy. */
  readonly energyPrice: Amount;
}

/** The stake that is delegated to one account: all of it, and the part without a lock. In the native currency. */
export interface DelegatedStake {
  readonly stake: Amount;
  readonly withoutLock: Amount;
}

/** In units of energy, or bytes of bandwidth. What is used comes back evenly within 24 hours. */
export interface ResourceUse {
  readonly limit: bigint;
  readonly used: bigint;
}
