// Decides whether a merchant's URL may be called, and at which addresses exactly.
import { isIP } from 'node:net';
import { isWebhookAddress } from '@ducat/contract/fields/web-address';
import type { ResolveHost } from './resolve-host.ts';
import { type AllowList, canonicalAddress, isAllowed, isGloballyRoutable } from './routable-address.ts';

export interface AddressRules {
  readonly resolve: ResolveHost;
  /** Ranges that may be called although they are not public. */
  readonly allowed: AllowList;
}

/** The URL, parsed once, and the only addresses at which its host may be connected; at least one address. */
export interface GuardedAddress {
  readonly url: URL;
  readonly addresses: readonly string[];
}

export type AddressRefusal = 'refused-address' | 'unresolved';

/** More addresses than any honest receiver has. */
const MAX_ADDRESSES = 64;

/**
 * Vets a URL. One bad address among several refuses all of them: a name that points inside as well as outside is
 * an attack or a mistake. The caller connects to the addresses returned and resolves nothing again. So a name that
 * changes between check and use does no harm.
 */
export async function guardAddress(
  text: string,
  rules: AddressRules,
): Promise<GuardedAddress | AddressRefusal> {
  // The API refuses such a URL for an order. It may still come from an app, which the operator configures.
  if (!isWebhookAddress(text)) return 'refused-address';
  const url = new URL(text);
  // The parser has already turned every numeric spelling of an IPv4 address into four decimals.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // A name without a dot leads inside, and its lookup takes one of a few threads that the whole process shares.
  if (isIP(host) === 0 && !host.includes('.') && rules.allowed.length === 0) return 'refused-address';
  let addresses: readonly string[];
  try {
    addresses = isIP(host) === 0 ? await rules.resolve(host) : [host];
  } catch {
    return 'unresolved';
  }
  if (addresses.length === 0) return 'unresolved';
  const safe = (address: string) => isGloballyRoutable(address) || isAllowed(address, rules.allowed);
  if (addresses.length > MAX_ADDRESSES || !addresses.every(safe)) return 'refused-address';
  return { url, addresses: addresses.map(canonicalAddress) };
}
