// Stake 2.0, delegation: stake that is lent to others and taken back.
import { isAddressHex } from '../protocol/address.ts';
import type { contractSchemas } from '../protocol/contracts.ts';
import { invalid } from '../protocol/rejection.ts';
import type { MessageOf } from '../protocol/schema.ts';
import type { Account, Usage } from '../state/account.ts';
import type { Parameters } from '../state/parameters.ts';
import { type Delegation, delegationKey } from '../state/state.ts';
import { slotAt, stakeForUnits, type StakedResource, unitsForStake, use, usedAt } from '../state/usage.ts';
import type { World } from '../state/world.ts';
import type { Actuator, ActuatorContext } from './actuator.ts';
import { addTo } from './freeze.ts';

type Delegate = MessageOf<typeof contractSchemas.DelegateResourceContract>;
type UnDelegate = MessageOf<typeof contractSchemas.UnDelegateResourceContract>;

const sunPerTrx = 1_000_000n;
const slotMs = 3000n;
const defaultLockMs = 3n * 86_400_000n;

export const delegate: Actuator<Delegate> = (value, context) => {
  const { world, parameters, now } = context;
  const { owner_address: from, receiver_address: to, balance } = value;
  const owner = world.account(from);
  if (owner === undefined) throw invalid(`Account[${from}] not exists`);
  const resource = lendable(value.resource);
  if (balance < sunPerTrx) throw invalid('delegateBalance must be greater than or equal to 1 TRX');
  const most = delegatable(world, parameters, owner, resource, now);
  if (most < balance) {
    const kind = resource === 'ENERGY' ? 'Energy' : 'Bandwidth';
    throw invalid(`delegateBalance must be less than or equal to available Freeze${kind}V2 balance`);
  }
  const receiver = receiverOf(world, from, to);
  if (value.lock && value.lock_period < 0n) throw invalid('The lock period must not be negative.');
  if (value.lock_period > parameters.getMaxDelegateLockPeriod) {
    throw invalid(
      `The lock period of delegate resource cannot exceed ${parameters.getMaxDelegateLockPeriod}.`,
    );
  }
  const lockMs = value.lock_period === 0n ? defaultLockMs : value.lock_period * slotMs;
  if (value.lock)
    requireLongerLock(world.get('delegations', delegationKey(from, to, true)), resource, now, lockMs);
  unlockExpired(world, from, to, now);
  const lockedUntil = value.lock ? now + lockMs : 0n;
  addToDelegation(world, from, to, resource, balance, lockedUntil);
  world.set('accounts', from, {
    ...owner,
    frozen: addTo(owner.frozen, resource, -balance),
    lent: addTo(owner.lent, resource, balance),
  });
  world.set('accounts', to, { ...receiver, borrowed: addTo(receiver.borrowed, resource, balance) });
  return { fee: 0n };
};

export const unDelegate: Actuator<UnDelegate> = (value, context) => {
  const { world, now } = context;
  const { owner_address: from, receiver_address: to, balance } = value;
  const owner = world.account(from);
  if (owner === undefined) throw invalid(`Account[${from}] does not exist`);
  const resource = lendable(value.resource);
  if (from === to) throw invalid('receiverAddress must not be the same as ownerAddress');
  const places = [false, true].map((isLocked) => world.get('delegations', delegationKey(from, to, isLocked)));
  if (places.every((lent) => lent === undefined)) throw invalid('delegated Resource does not exist');
  if (balance <= 0n) throw invalid('unDelegateBalance must be more than 0 TRX');
  const free = places.reduce((sum, lent) => sum + freeToReturn(lent, resource, now), 0n);
  if (free < balance) {
    throw invalid(
      `insufficient delegatedFrozenBalance(${resource}), request=${balance}, unlock_balance=${free}`,
    );
  }
  const carried = usageCarriedBack(context, to, resource, balance);
  unlockExpired(world, from, to, now);
  addToDelegation(world, from, to, resource, -balance, 0n);
  world.updateAccount(to, now, (old) => ({
    borrowed: addTo(old.borrowed, resource, -balance),
    ...withUsage(old, resource, -carried, now),
  }));
  world.updateAccount(from, now, (old) => ({
    frozen: addTo(old.frozen, resource, balance),
    lent: addTo(old.lent, resource, -balance),
    ...withUsage(old, resource, carried, now),
  }));
  return { fee: 0n };
};

/** The own stake in sun that can be lent now. Stake whose units are used up today cannot be lent. */
export function delegatable(
  world: World,
  parameters: Parameters,
  owner: Account,
  resource: StakedResource,
  now: bigint,
): bigint {
  const used = usedAt(usageOf(owner, resource), slotAt(now));
  const usedOwnStake = stakeForUnits(world, parameters, used, resource) - owner.borrowed[resource];
  const free = owner.frozen[resource] - (usedOwnStake > 0n ? usedOwnStake : 0n);
  return free > 0n ? free : 0n;
}

/**
 * The usage that goes back to the lender with the lent stake: the receiver's usage in proportion to this part of its
 * stake, at most what the part gives in a day.
 */
function usageCarriedBack(
  { world, parameters, now }: ActuatorContext,
  to: string,
  resource: StakedResource,
  balance: bigint,
): bigint {
  const receiver = world.account(to);
  if (receiver === undefined) return 0n;
  const whole = receiver.frozen[resource] + receiver.borrowed[resource];
  const used = usedAt(usageOf(receiver, resource), slotAt(now));
  const share = whole === 0n ? 0n : (used * balance) / whole;
  const most = unitsForStake(world, parameters, balance, resource);
  return share < most ? share : most;
}

function lendable(resource: Delegate['resource']): StakedResource {
  if (resource === 'TRON_POWER') {
    throw invalid('ResourceCode error, valid ResourceCode[BANDWIDTH、ENERGY]');
  }
  return resource;
}

function receiverOf(world: World, from: string, to: string): Account {
  if (!isAddressHex(to)) throw invalid('Invalid receiverAddress');
  if (from === to) throw invalid('receiverAddress must not be the same as ownerAddress');
  const receiver = world.account(to);
  if (receiver === undefined) throw invalid(`Account[${to}] not exists`);
  if (receiver.isContract) throw invalid('Do not allow delegate resources to contract addresses');
  return receiver;
}

function usageOf(account: Account, resource: StakedResource): Usage {
  return resource === 'ENERGY' ? account.energy : account.bandwidth;
}

function withUsage(account: Account, resource: StakedResource, delta: bigint, now: bigint): Partial<Account> {
  const usage = use(usageOf(account, resource), delta, slotAt(now));
  return resource === 'ENERGY' ? { energy: usage } : { bandwidth: usage };
}

/** The lent stake that is not locked, or no longer. */
function freeToReturn(lent: Delegation | undefined, resource: StakedResource, now: bigint): bigint {
  if (lent === undefined) return 0n;
  const isEnergy = resource === 'ENERGY';
  const lockedUntil = isEnergy ? lent.energyLockedUntil : lent.bandwidthLockedUntil;
  if (lockedUntil >= now && lockedUntil > 0n) return 0n;
  return isEnergy ? lent.energy : lent.bandwidth;
}

/** A further delegation may prolong a lock, but never shorten it. */
function requireLongerLock(
  locked: Delegation | undefined,
  resource: StakedResource,
  now: bigint,
  lockMs: bigint,
): void {
  const until = (resource === 'ENERGY' ? locked?.energyLockedUntil : locked?.bandwidthLockedUntil) ?? 0n;
  if (lockMs < until - now) {
    throw invalid(
      `The lock period for ${resource} this time cannot be less than the remaining time[${until - now}ms] of the last lock period for ${resource}!`,
    );
  }
}

/** Moves stake whose lock has ended to the stake that is not locked. */
function unlockExpired(world: World, from: string, to: string, now: bigint): void {
  const key = delegationKey(from, to, true);
  const locked = world.get('delegations', key);
  if (locked === undefined) return;
  const energy = locked.energyLockedUntil < now ? locked.energy : 0n;
  const bandwidth = locked.bandwidthLockedUntil < now ? locked.bandwidth : 0n;
  if (energy > 0n) addToDelegation(world, from, to, 'ENERGY', energy, 0n);
  if (bandwidth > 0n) addToDelegation(world, from, to, 'BANDWIDTH', bandwidth, 0n);
  const left = { ...locked, energy: locked.energy - energy, bandwidth: locked.bandwidth - bandwidth };
  world.set('delegations', key, left.energy + left.bandwidth === 0n ? undefined : left);
}

/** `lockedUntil` is 0 for stake that is not locked. */
function addToDelegation(
  world: World,
  from: string,
  to: string,
  resource: StakedResource,
  delta: bigint,
  lockedUntil: bigint,
): void {
  const key = delegationKey(from, to, lockedUntil > 0n);
  const none = { from, to, bandwidth: 0n, energy: 0n, bandwidthLockedUntil: 0n, energyLockedUntil: 0n };
  const old = world.get('delegations', key) ?? none;
  const next: Delegation =
    resource === 'ENERGY'
      ? { ...old, energy: old.energy + delta, energyLockedUntil: lockedUntil }
      : { ...old, bandwidth: old.bandwidth + delta, bandwidthLockedUntil: lockedUntil };
  world.set('delegations', key, next.energy + next.bandwidth === 0n ? undefined : next);
}
