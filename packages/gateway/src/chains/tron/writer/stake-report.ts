// A staker's account on Tron for an operator: the stakes, how much of them is used up, and what they yield in a day.
import type { DelegatedStake, ResourceUse, StakeReport } from '@ducat/core/collection/stake-offer';
import { type Amount, amountOf, type CurrencyId } from '@ducat/core/money/amount';
import type { StakeKey } from '../../port/writer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import type { Json } from '../wire/json.ts';
import { readDelegated, readReceivers } from './delegations.ts';
import { readPrices } from './resources.ts';
import { askStake, ownStake, stakeIn, SUN_PER_TRX } from './stake.ts';

/** Throws Outage where the node cannot answer. */
export async function readStakeReport(
  api: HttpApi,
  key: StakeKey,
  nativeId: CurrencyId,
): Promise<StakeReport> {
  const answers = await askStake(api, key.staker.address);
  const { account, chain } = answers;
  const stake = stakeIn(answers, key);
  const prices = await readPrices(api);
  const receivers = await readReceivers(api, key.staker.address);
  const sun = (units: bigint): Amount => amountOf(nativeId, units);
  const lent = account.get('delegated_frozenV2_balance_for_bandwidth').asInteger('delegated stake');
  const { amount, thawsAtMs } = unfreezingOf(account);
  return {
    staked: sun(stake.staked),
    delegated: sun(stake.delegated),
    receivers,
    free: sun(stake.free),
    coin: sun(stake.resources.balance),
    isPermitted: stake.isPermitted,
    stakedForBandwidth: sun(ownStake(account, 'BANDWIDTH') + lent),
    unfreezing: sun(amount),
    thawsAtMs,
    energy: useOf(chain, 'EnergyLimit', 'EnergyUsed'),
    bandwidth: useOf(chain, 'NetLimit', 'NetUsed'),
    freeBandwidth: useOf(chain, 'freeNetLimit', 'freeNetUsed'),
    energyADay:
      stake.totalStake > 0n ? ((stake.staked / SUN_PER_TRX) * stake.totalEnergy) / stake.totalStake : 0n,
    energyPrice: sun(prices.energy),
  };
}

/** In the order of the receivers. Throws Outage where the node cannot answer. */
export async function readDelegatedStakes(
  api: HttpApi,
  staker: string,
  receivers: readonly string[],
  nativeId: CurrencyId,
): Promise<readonly DelegatedStake[]> {
  const all: DelegatedStake[] = [];
  for (const receiver of receivers) {
    const { stake, withoutLock } = await readDelegated(api, staker, receiver);
    all.push({ stake: amountOf(nativeId, stake), withoutLock: amountOf(nativeId, withoutLock) });
  }
  return all;
}

function useOf(chain: Json, limit: string, used: string): ResourceUse {
  return { limit: chain.get(limit).asInteger(limit), used: chain.get(used).asInteger(used) };
}

function unfreezingOf(account: Json): { readonly amount: bigint; readonly thawsAtMs: number | null } {
  const entries = account.get('unfrozenV2').asRecords('what unfreezes');
  const times = entries.map((one) => Number(one.get('unfreeze_expire_time').asInteger('a time')));
  return {
    amount: entries.reduce((sum, one) => sum + one.get('unfreeze_amount').asInteger('a stake'), 0n),
    thawsAtMs: times.length === 0 ? null : Math.min(...times),
  };
}
