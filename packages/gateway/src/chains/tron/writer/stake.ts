// A staker's account on Tron: how much of its stake our key can delegate, and what that would burn.
import type { StakeOffer } from '@ducat/core/collection/stake-offer';
import { type Amount, amountOf, type CurrencyId } from '@ducat/core/money/amount';
import type { Staker } from '@ducat/core/signing/transfer-intent';
import type { StakeKey } from '../../port/writer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import type { Json } from '../wire/json.ts';
import { type Prices, type Resources, resourcesIn } from './resources.ts';

/** Amounts in sun, except for the two figures of the whole chain. */
export interface Stake {
  readonly staked: bigint;
  readonly delegated: bigint;
  readonly free: bigint;
  readonly resources: Resources;
  readonly isPermitted: boolean;
  /** Energy that all stakers of the chain share in 24 hours, and the whole TRX that they staked for it. */
  readonly totalEnergy: bigint;
  readonly totalStake: bigint;
}

/** Bytes of bandwidth of delegating, and of taking back, with one signature and the number of a permission. */
export const DELEGATION_BYTES = 290n;

export const SUN_PER_TRX = 1_000_000n;
/** As a percentage: others stake meanwhile, and the same stake then yields less. */
const STAKE_MARGIN = 105n;
/** How many collections the staker's account must be able to begin and end without its free bandwidth. */
const RESERVE = 10n;
const ENERGY = 1;
const DELEGATE = 57;
const UNDELEGATE = 58;

/** A staker's account as a node shows it, and what it can delegate. */
export interface StakeAnswers {
  readonly account: Json;
  /** Resources of the account, and of the whole chain. */
  readonly chain: Json;
  readonly free: bigint;
}

/** The account at the head, which alone shows resources. Throws Outage where the node cannot answer. */
export async function askStake(api: HttpApi, address: string): Promise<StakeAnswers> {
  const account = (await api('getaccount', { address })).asRecord('an account');
  const chain = (await api('getaccountresource', { address })).asRecord('resources');
  const most = await api('getcandelegatedmaxsize', { owner_address: address, type: ENERGY });
  const free = most.asRecord('a size').get('max_size').asInteger('what can be delegated');
  return { account, chain, free };
}

/** Throws Outage where the node cannot answer. */
export async function readStake(api: HttpApi, key: StakeKey): Promise<Stake> {
  return stakeIn(await askStake(api, key.staker.address), key);
}

export function stakeIn({ account, chain, free }: StakeAnswers, { staker, signer }: StakeKey): Stake {
  const details = account.get('account_resource').asRecord('resources of an account');
  const delegated = details.get('delegated_frozenV2_balance_for_energy').asInteger('delegated stake');
  return {
    staked: ownStake(account, 'ENERGY') + delegated,
    delegated,
    free,
    resources: resourcesIn(account, chain),
    isPermitted: isPermitted(account, staker, signer),
    totalEnergy: chain.get('TotalEnergyLimit').asInteger('the energy of all'),
    totalStake: chain.get('TotalEnergyWeight').asInteger('the stake of all'),
  };
}

/** The account's stake that is not delegated. A node omits the type where it is BANDWIDTH. */
export function ownStake(account: Json, kind: 'ENERGY' | 'BANDWIDTH'): bigint {
  const stakes = account.get('frozenV2').asRecords('stakes');
  const own = stakes.find((one) => (one.get('type').text ?? 'BANDWIDTH') === kind);
  return own?.get('amount').asInteger('a stake') ?? 0n;
}

/** Whether this key alone may delegate and undelegate by the permission. */
function isPermitted(account: Json, { permission }: Staker, signer: string): boolean {
  const permissions = account.get('active_permission').asRecords('permissions');
  const given = permissions.find((one) => one.get('id').asInteger('a permission') === BigInt(permission));
  if (given === undefined) return false;
  const operations = Buffer.from(given.get('operations').asHex('operations'), 'hex');
  const keys = given.get('keys').asRecords('keys');
  const weight =
    keys
      .find((one) => one.get('address').text === signer)
      ?.get('weight')
      .asInteger('a weight') ?? 0n;
  return (
    weight > 0n &&
    weight >= given.get('threshold').asInteger('a threshold') &&
    [DELEGATE, UNDELEGATE].every((type) => (((operations[type >> 3] ?? 0) >> (type & 7)) & 1) === 1)
  );
}

/** What the staker's account burns for so many bytes in a row; null where it has too little coin. */
export function stakerCost({ resources }: Stake, { byte }: Prices, bytes: bigint): bigint | null {
  const { stakedBandwidth, freeBandwidth, balance } = resources;
  if (stakedBandwidth >= bytes || freeBandwidth >= bytes) return 0n;
  return balance >= bytes * byte ? bytes * byte : null;
}

/** Every collection that is planned now is offered the same bandwidth. If it is used up by then, coin has to pay. */
function hasReserve({ resources }: Stake, { byte }: Prices, bytes: bigint): boolean {
  const { stakedBandwidth, balance } = resources;
  return stakedBandwidth >= RESERVE * bytes || balance >= RESERVE * bytes * byte;
}

export interface Wanted {
  readonly staker: Staker;
  readonly energy: bigint;
  readonly rest: bigint;
  readonly prices: Prices;
}

/** Null where the stake is not enough or cannot be delegated. */
export function offerOfStake(
  stake: Stake,
  { staker, energy, rest, prices }: Wanted,
  nativeId: CurrencyId,
): StakeOffer | null {
  const { totalEnergy, totalStake, free, isPermitted: isOurs } = stake;
  const bytes = 2n * DELEGATION_BYTES;
  const cost = hasReserve(stake, prices, bytes) ? stakerCost(stake, prices, bytes) : null;
  if (!isOurs || cost === null || totalEnergy <= 0n || totalStake <= 0n) return null;
  // Whole TRX, because the chain's own arithmetic is in floating point.
  const trx = (energy * STAKE_MARGIN * totalStake + 100n * totalEnergy - 1n) / (100n * totalEnergy);
  const needed = (trx > 0n ? trx : 1n) * SUN_PER_TRX;
  if (needed > free) return null;
  const sun = (units: bigint): Amount => amountOf(nativeId, units);
  return { staker, stake: sun(needed), free: sun(free), cost: sun(cost), rest: sun(rest) };
}
