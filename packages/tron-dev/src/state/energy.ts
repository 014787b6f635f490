// Who pays for energy: the caller's stake, the deployer's share, then the caller's TRX.
import type { ResourceReceipt } from '../protocol/messages.ts';
import type { Contract } from './state.ts';
import type { Parameters } from './parameters.ts';
import { slotAt, stakedLimit, use, usedAt } from './usage.ts';
import type { World } from './world.ts';

/** The energy that the account has left from stake, own and borrowed. `now` is milliseconds. */
function stakedEnergyLeft(world: World, parameters: Parameters, address: string, now: bigint): bigint {
  const account = world.account(address);
  if (account === undefined) return 0n;
  const left = stakedLimit(world, parameters, account, 'ENERGY') - usedAt(account.energy, slotAt(now));
  return left < 0n ? 0n : left;
}

/**
 * The energy that a caller may use: what stake and balance can pay, at most what `feeLimit` (sun) buys. The limit
 * applies to staked energy too. `callValue` is sun that leaves the balance before energy is paid.
 */
export function callerEnergyLimit(
  world: World,
  parameters: Parameters,
  caller: string,
  feeLimit: bigint,
  callValue: bigint,
  now: bigint,
): bigint {
  const price = parameters.getEnergyFee;
  const balance = (world.account(caller)?.balance ?? 0n) - callValue;
  const affordable = stakedEnergyLeft(world, parameters, caller, now) + (balance > 0n ? balance / price : 0n);
  const capped = feeLimit / price;
  return affordable < capped ? affordable : capped;
}

/**
 * The energy that the deployer adds for a call by another account. `callerLimit` is the energy that the caller may use
 * alone.
 */
export function deployerEnergyLimit(
  world: World,
  parameters: Parameters,
  contract: Contract,
  caller: string,
  callerLimit: bigint,
  now: bigint,
): bigint {
  const { origin_address: deployer, origin_energy_limit: cap } = contract.definition;
  const callerPercent = contract.definition.consume_user_resource_percent;
  if (deployer === caller || callerPercent >= 100n) return 0n;
  const available = least(stakedEnergyLeft(world, parameters, deployer, now), cap);
  if (callerPercent <= 0n) return available;
  return least(available, (callerLimit * (100n - callerPercent)) / callerPercent);
}

/**
 * Charges `used` energy and returns how it was paid. The caller's balance must be enough, as callerEnergyLimit ensures.
 */
export function chargeEnergy(
  world: World,
  parameters: Parameters,
  caller: string,
  contract: Contract | undefined,
  used: bigint,
  now: bigint,
): Pick<ResourceReceipt, 'energy_usage' | 'energy_fee' | 'origin_energy_usage' | 'energy_usage_total'> {
  const slot = slotAt(now);
  const deployer = contract?.definition.origin_address ?? caller;
  const originShare =
    contract === undefined ? 0n : originPart(world, parameters, contract, caller, used, now);
  if (originShare > 0n) {
    world.updateAccount(deployer, now, (old) => ({ energy: use(old.energy, originShare, slot) }));
  }
  const callerShare = used - originShare;
  const staked = least(callerShare, stakedEnergyLeft(world, parameters, caller, now));
  const fee = (callerShare - staked) * parameters.getEnergyFee;
  world.updateAccount(caller, now, (old) => ({
    energy: use(old.energy, staked, slot),
    balance: old.balance - fee,
  }));
  return {
    energy_usage: staked,
    energy_fee: fee,
    origin_energy_usage: originShare,
    energy_usage_total: used,
  };
}

function originPart(
  world: World,
  parameters: Parameters,
  contract: Contract,
  caller: string,
  used: bigint,
  now: bigint,
): bigint {
  const { origin_address: deployer, origin_energy_limit: cap } = contract.definition;
  const callerPercent = contract.definition.consume_user_resource_percent;
  if (deployer === caller || callerPercent >= 100n) return 0n;
  const share = (used * (100n - callerPercent)) / 100n;
  return least(least(share, cap), stakedEnergyLeft(world, parameters, deployer, now));
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
