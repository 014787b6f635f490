// Refuses webhook addresses that name a private place outright. Host names are checked when they are resolved.
import { isIP } from 'node:net';

/**
 * Whether the address may be kept as a callback_url (decision E7). `url` is a valid http or https URL;
 * `isCallable` says of an IP address whether webhooks may be sent there.
 */
export function isPublicCallback(url: URL, isCallable: (address: string) => boolean): boolean {
  // The URL parser has already turned every spelling of an IPv4 address into four decimal numbers.
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return isCallable(host);
  const name = host.replace(/\.$/, '');
  return name !== 'localhost' && !name.endsWith('.localhost') ? name !== '' : isCallable('127.0.0.1');
}
