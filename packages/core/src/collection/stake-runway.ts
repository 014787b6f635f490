// How far an operator's stake on Tron goes: the token transfers that it pays for in a day, compared with the actual ones.
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
  /** The coin that is burnt for one unit of energy, in the native currency. */
  readonly energyPrice: Amount;
  /** Token transfers out of deposit addresses in the last `RUNWAY_DAYS`. */
  readonly collections: bigint;
}

/** Null where the energy of a transfer is unknown. */
export interface StakeRunway {
  /** Whole token transfers in 24 hours. */
  readonly transfersADay: bigint | null;
  /** Energy of the stake, in percent of what an average day takes; also null where there was no collection. */
  readonly coveragePercent: bigint | null;
  /** Coin that an average day burns for energy that the stake does not bring. */
  readonly burntADay: Amount | null;
}

const PPM = 1_000_000n;

/** The energy of a day that collections can use. `returning` is stake delegated for them, or taken back from strays. */
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
  /** Addresses of ours that have some of the stake; the sum of it at wallets, and the sum that is stray. */
  readonly places: readonly StakePlace[];
  readonly atWallets: Amount;
  readonly stray: Amount;
  /** Of the last `RUNWAY_DAYS`: token transfers out of deposit addresses, those by the stake, and payouts of tokens. */
  readonly collections: bigint;
  readonly collectionsByStake: bigint;
  readonly payouts: bigint;
  readonly runway: StakeRunway;
}
