// What an account on Tron can spend, and what the chain charges: balance, staked resources, prices.
import { invalidAnswer } from '../../rpc/invalid-answer.ts';
import type { HttpApi } from '../wire/http-api.ts';
import type { Json } from '../wire/json.ts';

export interface Resources {
  /** Sun. */
  readonly balance: bigint;
  /** Bandwidth of either kind covers a transaction whole or not at all. */
  readonly stakedBandwidth: bigint;
  readonly freeBandwidth: bigint;
  readonly energy: bigint;
  /** `energy` before it is cut off at zero: after stake was taken back, more may be used than there is. */
  readonly energyBalance: bigint;
  /** Whether the account was ever activated. */
  readonly isActive: boolean;
}

/** Sun. */
export interface Prices {
  readonly energy: bigint;
  /** A byte of bandwidth. */
  readonly byte: bigint;
  /** What a transfer that activates an account costs its sender, besides bandwidth. */
  readonly activation: bigint;
  /** What replaces the bandwidth of an activation, where none is staked. */
  readonly activationBandwidth: bigint;
  /** Bytes of bandwidth that each account has for free in 24 hours. */
  readonly freeBandwidth: bigint;
}

export async function readResources(api: HttpApi, address: string): Promise<Resources> {
  const account = (await api('getaccount', { address })).asRecord('an account');
  return resourcesIn(account, (await api('getaccountresource', { address })).asRecord('resources'));
}

/** Reads an account as `getaccount` shows it, and its resources as `getaccountresource` does. */
export function resourcesIn(account: Json, all: Json): Resources {
  const balance = (limit: string, used: string): bigint =>
    all.get(limit).asInteger(limit) - all.get(used).asInteger(used);
  const left = (limit: string, used: string): bigint => {
    const rest = balance(limit, used);
    return rest > 0n ? rest : 0n;
  };
  return {
    balance: account.get('balance').asInteger('a balance'),
    stakedBandwidth: left('NetLimit', 'NetUsed'),
    freeBandwidth: left('freeNetLimit', 'freeNetUsed'),
    energy: left('EnergyLimit', 'EnergyUsed'),
    energyBalance: balance('EnergyLimit', 'EnergyUsed'),
    isActive: account.has('address'),
  };
}

export async function readPrices(api: HttpApi): Promise<Prices> {
  const answer = (await api('getchainparameters', {})).asRecord('parameters');
  const parameters = answer.get('chainParameter').asRecords('parameters');
  const priceOf = (name: string): bigint => {
    const found = parameters.find((one) => one.get('key').text === name);
    if (found === undefined) throw invalidAnswer(`does not say its ${name}`);
    return found.get('value').asInteger(name);
  };
  return {
    energy: priceOf('getEnergyFee'),
    byte: priceOf('getTransactionFee'),
    activation: priceOf('getCreateNewAccountFeeInSystemContract'),
    activationBandwidth: priceOf('getCreateAccountFee'),
    freeBandwidth: priceOf('getFreeNetLimit'),
  };
}

/** What kind of account an address is. A TRC-20 balance alone makes no account. */
export async function readKind(api: HttpApi, address: string): Promise<'missing' | 'contract' | 'plain'> {
  const account = (await api('getaccount', { address })).asRecord('an account');
  if (!account.has('address')) return 'missing';
  return account.get('type').text === 'Contract' ? 'contract' : 'plain';
}
