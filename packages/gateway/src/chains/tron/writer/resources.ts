// What an account on Tron has to spend, and what the chain asks: balance, staked resources, prices.
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
  /** The same before it is cut off at nothing: stake that was taken back may leave more used than there is. */
  readonly energyBalance: bigint;
  /** Whether the account was ever activated. */
  readonly isActive: boolean;
}

/** Sun. */
export interface Prices {
  readonly energy: bigint;
  /** A byte of bandwidth. */
  readonly byte: bigint;
  /** What the first TRX to an account costs its sender, without its bandwidth. */
  readonly activation: bigint;
  /** What takes the place of its bandwidth, where none is staked. */
  readonly activationBandwidth: bigint;
  /** Bytes that each account has for nothing in 24 hours. */
  readonly freeBandwidth: bigint;
}

export async function readResources(api: HttpApi, address: string): Promise<Resources> {
  const account = (await api('getaccount', { address })).asRecord('an account');
  return resourcesIn(account, (await api('getaccountresource', { address })).asRecord('resources'));
}

/** From an account as `getaccount` shows it, and its resources as `getaccountresource` does. */
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

/** What an account is on the chain: a TRC-20 balance alone makes none. */
export async function readKind(api: HttpApi, address: string): Promise<'missing' | 'contract' | 'plain'> {
  const account = (await api('getaccount', { address })).asRecord('an account');
  if (!account.has('address')) return 'missing';
  return account.get('type').text === 'Contract' ? 'contract' : 'plain';
}
