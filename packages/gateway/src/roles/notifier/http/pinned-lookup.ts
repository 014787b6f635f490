// The addresses that a connection may be opened at, as Node looks them up.
import type { LookupFunction } from 'node:net';

/** A lookup that returns these addresses for every name, and asks no name server. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all === true) callback(null, entries);
    else callback(null, first?.address ?? '', first?.family);
  };
}
