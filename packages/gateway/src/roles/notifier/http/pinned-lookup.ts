// The addresses that a connection may be opened at, as Node looks them up.
import type { LookupFunction } from 'node:net';

/** Answers with these addresses, whatever the name, and asks nobody. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  return (_hostname, options, callback) => {
    const [first] = entries;
    if (options.all === true) callback(null, entries);
    else callback(null, first?.address ?? '', first?.family);
  };
}
