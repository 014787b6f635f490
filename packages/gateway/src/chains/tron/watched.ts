// What is looked for in a block: the chain's own coin or not, and tokens by the canonical address of their contract.
import type { TraceMethod } from '@ducat/core/chain/chain';
import type { Currency } from '@ducat/core/chain/currency';
import { assert } from '@ducat/core/assert';
import { tronAddressScheme } from './wire/address.ts';

export interface Watched {
  readonly native: Currency | null;
  readonly tokens: ReadonlyMap<string, Currency>;
  /** Whether coins that contracts send are looked for; else that is a stated gap. */
  readonly inner: boolean;
}

export function watchedOf(currencies: readonly Currency[], traceMethod: TraceMethod): Watched {
  const tokens = new Map<string, Currency>();
  let native: Currency | null = null;
  for (const currency of currencies) {
    if (currency.contract === null) native = currency;
    else tokens.set(canonicalContract(currency.contract), currency);
  }
  return { native, tokens, inner: traceMethod !== 'none' };
}

/** An operator may have written it in any form. Throws Bug where it is no address, which the configuration refuses. */
export function canonicalContract(text: string): string {
  const contract = tronAddressScheme.canonical(text);
  assert(contract !== null, `${text} is no address on Tron`);
  return contract;
}
