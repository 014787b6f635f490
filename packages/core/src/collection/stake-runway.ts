// How far an operator's stake on Tron goes: the token transfers that it pays for in a day, against those that there were.
import type { Staker } from '../signing/transfer-intent.ts';
import { type Amount, divide, isPositive, subtract, times, timesIn, zero } from '../money/amount.ts';
import { RUNWAY_DAYS } from './runway.ts';
import type { StakeReport } from './stake-offer.ts';
import type { StakePlace } from './stake-places.ts';

export interface StakeUse {
  /** Energy that collections can use in 24 hours. */
  readonly energyADay: bigint;
  /** Energy of one token transfer; null where that is unknown. */
  readonly transferEnergy: bigint | null;
  /** What one unit of energy costs that is burnt, in the native currency. */
  readonly energyPrice: Amount;
  /** Token transfers out of deposit addresses in the last `RUNWAY_DAYS`. */
  readonly collections: bigint;
}

/** Null where the energy of a transfer is unknown. */
export interface StakeRunway {
  /** Whole token transfers in 24 hours. */
  readonly transfersADay: bigint | null;
  /** What the stake brings, in percent of what a usual day takes; also null where there was no collection. */
  readonly coveragePercent: bigint | null;
  /** What a usual day burns beyond it. */
  readonly burntADay: Amount | null;
}

const PPM = 1_000_000n;

/** What of the energy a day is left for collections: `returning` is delegated for them, or taken back from strays. */
export function energyForCollections(
  { energyADay, staked, delegated }: Pick<StakeReport, 'energyADay' | 'staked' | 'delegated'>,
  returning: Amount,
): bigint {
  const elsewhere = subtract(delegated, returning);
  const left = isPositive(elsewhere) ? subtract(staked, elsewhere) : staked;
  if (!isPositive(left)) return 0n;
  return divide(energyADay * timesIn(times(left, PPM), staked, 'down'), PPM, 'down');
}

export function stakeRunway({ energyADay, transferEnergy, energyPrice, collections }: StakeUse): StakeRunway {
  if (transferEnergy === null || transferEnergy <= 0n)
    return { transfersADay: null, coveragePercent: null, burntADay: null };
  const [taken, brought] = [collections * transferEnergy, energyADay * RUNWAY_DAYS];
  return {
    transfersADay: energyADay / transferEnergy,
    coveragePercent: taken === 0n ? null : (brought * 100n) / taken,
    burntADay:
      taken > brought
        ? times(energyPrice, divide(taken - brought, RUNWAY_DAYS, 'up'))
        : zero(energyPrice.currencyId),
  };
}

/** All that is known of a stake: the account as the chain shows it, and what the books know. */
export interface StakeLook {
  readonly staker: Staker;
  readonly report: StakeReport;
  /** Delegated to addresses of collections, by the books. */
  readonly booked: Amount;
  /** Addresses of ours that have some of it, and the sums of what wallets have and of what the books do not account for. */
  readonly places: readonly StakePlace[];
  readonly atWallets: Amount;
  readonly stray: Amount;
  /** Of the last `RUNWAY_DAYS`: token transfers out of deposit addresses, those by the stake, and payouts of tokens. */
  readonly collections: bigint;
  readonly collectionsByStake: bigint;
  readonly payouts: bigint;
  readonly runway: StakeRunway;
}
