// Stake 2.0, own stake: freeze, unfreeze, withdraw thawed stake, and cancel unfreezing.
import { type contractSchemas, type Resource } from '../protocol/contracts.ts';
import { invalid } from '../protocol/rejection.ts';
import type { MessageOf } from '../protocol/schema.ts';
import type { Account } from '../state/account.ts';
import { addToWeight } from '../state/usage.ts';
import type { Actuator } from './actuator.ts';

type Freeze = MessageOf<typeof contractSchemas.FreezeBalanceV2Contract>;
type Unfreeze = MessageOf<typeof contractSchemas.UnfreezeBalanceV2Contract>;
type OwnerOnly = MessageOf<typeof contractSchemas.WithdrawExpireUnfreezeContract>;

/** The order in which java-tron's receipts name the resources. */
const inReceipts: readonly Resource[] = ['ENERGY', 'TRON_POWER', 'BANDWIDTH'];

const sunPerTrx = 1_000_000n;
/** How many amounts of one account may be unfreezing at the same time. */
export const mostUnfreezings = 32;
const dayMs = 86_400_000n;

export const freeze: Actuator<Freeze> = (value, { world, now }) => {
  const { owner_address: from, frozen_balance: amount, resource } = value;
  const owner = world.account(from);
  if (owner === undefined) throw invalid(`Account[${from}] not exists`);
  if (amount <= 0n) throw invalid('frozenBalance must be positive');
  if (amount < sunPerTrx) throw invalid('frozenBalance must be greater than or equal to 1 TRX');
  if (amount > owner.balance) {
    throw invalid('frozenBalance must be less than or equal to accountBalance');
  }
  world.updateAccount(from, now, (old) => ({
    balance: old.balance - amount,
    frozen: addTo(old.frozen, resource, amount),
  }));
  addToWeight(world, resource, amount);
  return { fee: 0n };
};

export const unfreeze: Actuator<Unfreeze> = (value, { world, parameters, now }) => {
  const { owner_address: from, unfreeze_balance: amount, resource } = value;
  const owner = world.account(from);
  if (owner === undefined) throw invalid(`Account[${from}] does not exist`);
  const frozen = owner.frozen[resource];
  if (frozen <= 0n) throw invalid(`no frozenBalance(${resource})`);
  if (amount <= 0n || amount > frozen) {
    throw invalid(`Invalid unfreeze_balance, [${amount}] is error`);
  }
  const waiting = owner.unfreezing.filter((entry) => entry.expireTime > now);
  if (waiting.length >= mostUnfreezings) {
    throw invalid('Invalid unfreeze operation, unfreezing times is over limit');
  }
  const withdrawn = thawed(owner, now);
  world.updateAccount(from, now, (old) => ({
    balance: old.balance + withdrawn,
    frozen: addTo(old.frozen, resource, -amount),
    unfreezing: [...waiting, { resource, amount, expireTime: now + parameters.getUnfreezeDelayDays * dayMs }],
  }));
  addToWeight(world, resource, -amount);
  return { fee: 0n, withdrawn };
};

export const withdrawExpireUnfreeze: Actuator<OwnerOnly> = ({ owner_address: from }, { world, now }) => {
  const owner = world.account(from);
  if (owner === undefined) throw invalid(`Account[${from}] not exists`);
  const withdrawn = thawed(owner, now);
  if (withdrawn <= 0n) throw invalid('no unFreeze balance to withdraw ');
  world.updateAccount(from, now, (old) => ({
    balance: old.balance + withdrawn,
    unfreezing: old.unfreezing.filter((entry) => entry.expireTime > now),
  }));
  return { fee: 0n, withdrawn };
};

export const cancelAllUnfreeze: Actuator<OwnerOnly> = ({ owner_address: from }, { world, now }) => {
  const owner = world.account(from);
  if (owner === undefined) throw invalid(`Account[${from}] not exists`);
  if (owner.unfreezing.length === 0) throw invalid('No unfreezeV2 list to cancel');
  const withdrawn = thawed(owner, now);
  const waiting = owner.unfreezing.filter((entry) => entry.expireTime > now);
  for (const { resource, amount } of waiting) {
    world.updateAccount(from, now, (old) => ({ frozen: addTo(old.frozen, resource, amount) }));
    addToWeight(world, resource, amount);
  }
  world.updateAccount(from, now, (old) => ({ balance: old.balance + withdrawn, unfreezing: [] }));
  const cancelled = inReceipts.map((key) => ({
    key,
    value: waiting.reduce((sum, entry) => (entry.resource === key ? sum + entry.amount : sum), 0n),
  }));
  return { fee: 0n, withdrawn, cancelled };
};

/** Stake amounts with `delta` sun more for one resource. */
export function addTo(amounts: Account['frozen'], resource: Resource, delta: bigint): Account['frozen'] {
  return { ...amounts, [resource]: amounts[resource] + delta };
}

function thawed(account: Account, now: bigint): bigint {
  return account.unfreezing.reduce((sum, entry) => (entry.expireTime <= now ? sum + entry.amount : sum), 0n);
}
