// How used bandwidth and energy recover: linearly over 24 hours, counted in slots of 3 seconds.
import type { Account, Usage } from './account.ts';
import type { Parameters } from './parameters.ts';
import type { World } from './world.ts';
import type { Resource } from '../protocol/contracts.ts';

const windowSlots = 28_800n;
const sunPerTrx = 1_000_000n;

export type StakedResource = Exclude<Resource, 'TRON_POWER'>;

/** The slot of a time in milliseconds. */
export function slotAt(timeMs: bigint): bigint {
  return timeMs / 3000n;
}

/** The part of an earlier usage that still counts at `slot`. */
export function usedAt(usage: Usage, slot: bigint): bigint {
  const passed = slot - usage.slot;
  if (passed <= 0n) return usage.amount;
  if (passed >= windowSlots) return 0n;
  return (usage.amount * (windowSlots - passed)) / windowSlots;
}

/** The usage after adding `amount`. The amount is negative when usage leaves with a delegation. */
export function use(usage: Usage, amount: bigint, slot: bigint): Usage {
  const total = usedAt(usage, slot) + amount;
  return { amount: total < 0n ? 0n : total, slot };
}

/** Names of the chain-wide stake totals, in TRX. */
export const weightNames: Readonly<Record<StakedResource, string>> = {
  BANDWIDTH: 'netWeight',
  ENERGY: 'energyWeight',
};

/** Units per day that the account's stake gives: own stake that is not lent, and stake lent to it. */
export function stakedLimit(
  world: World,
  parameters: Parameters,
  account: Account | undefined,
  resource: StakedResource,
): bigint {
  if (account === undefined) return 0n;
  const stake = account.frozen[resource] + account.borrowed[resource];
  return unitsForStake(world, parameters, stake, resource);
}

/** Units per day for this much stake in sun. Whole TRX count, as in java-tron. */
export function unitsForStake(
  world: World,
  parameters: Parameters,
  stake: bigint,
  resource: StakedResource,
): bigint {
  const weight = world.total(weightNames[resource]);
  const limit = resource === 'ENERGY' ? parameters.getTotalEnergyCurrentLimit : parameters.getTotalNetLimit;
  return weight === 0n ? 0n : ((stake / sunPerTrx) * limit) / weight;
}

/** Stake in sun behind the given usage, rounded up. */
export function stakeForUnits(
  world: World,
  parameters: Parameters,
  units: bigint,
  resource: StakedResource,
): bigint {
  const weight = world.total(weightNames[resource]);
  const limit = resource === 'ENERGY' ? parameters.getTotalEnergyCurrentLimit : parameters.getTotalNetLimit;
  return limit === 0n ? 0n : (units * weight * sunPerTrx + limit - 1n) / limit;
}

/** Adds `sun` (or takes it away) to the chain-wide stake of a resource. */
export function addToWeight(world: World, resource: Resource, sunDelta: bigint): void {
  if (resource === 'TRON_POWER') return;
  const name = weightNames[resource];
  world.set('totals', name, world.total(name) + sunDelta / sunPerTrx);
}
