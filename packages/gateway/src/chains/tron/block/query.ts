// What to look for in a block: the native currency or not, tokens by their contract, and transactions of ours.
import { assert } from '@ducat/core/assert';
import type { Currency } from '@ducat/core/chain/currency';
import type { BlockQuery } from '../../port/reader.ts';
import { tronAddressScheme } from '../wire/address.ts';

export interface TronQuery {
  /** Null where TRX is not asked for. */
  readonly native: Currency | null;
  /** Token currencies by the 20 bytes of their contract as hex, as logs name it. */
  readonly tokens: ReadonlyMap<string, Currency>;
  readonly txIds: ReadonlySet<string>;
}

export function tronQuery({ currencies, txIds }: BlockQuery): TronQuery {
  const tokens = new Map<string, Currency>();
  let native: Currency | null = null;
  for (const currency of currencies) {
    if (currency.contract === null) native = currency;
    else tokens.set(canonicalContract(currency.contract).slice(2), currency);
  }
  return { native, tokens, txIds };
}

/**
 * The contract in canonical text; an operator may have written it in any form. Throws Bug where it is no address, which the
 * configuration refuses.
 */
export function canonicalContract(text: string): string {
  const contract = tronAddressScheme.canonical(text);
  assert(contract !== null, `${text} is no address on Tron`);
  return contract;
}
