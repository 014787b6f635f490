// Whether a token is what the catalogue says it is.
import type { Currency } from '@ducat/core/chain/currency';
import { canonicalContract } from '../block/query.ts';
import type { HttpApi } from '../wire/http-api.ts';
import { callFunction, integerFrom } from './constant-call.ts';

const nativeDecimals = 6;

/** Why a currency does not fit this chain, or null where it fits. Needs the head's view, which alone shows contracts. */
export async function checkCurrency(
  api: HttpApi,
  { contract, symbol, decimals }: Currency,
): Promise<string | null> {
  if (contract === null) {
    if (decimals === nativeDecimals) return null;
    return `${symbol} has ${nativeDecimals} decimals on Tron, not ${decimals}`;
  }
  const address = canonicalContract(contract);
  const found = (await api('getcontract', { value: address })).asRecord('a contract');
  if (found.hasOnly([])) return `there is no contract at ${contract}`;
  const seen = integerFrom(await callFunction(api, address, 'decimals()'));
  if (seen === null) return `${contract} does not say its decimals`;
  return seen === BigInt(decimals) ? null : `${contract} has ${seen} decimals, not ${decimals}`;
}
