// Whether a browser on this very machine asks: by a name of it, from an address of it, and past no proxy that says so.
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../../http/address-key.ts';

/** What proxies add; one that adds nothing still passes on the name that its visitor typed, or has one of its own. */
const BY_PROXIES = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;

export function isFromHere({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): boolean {
  if (!isLoopback(ip) || !isNameOfHere(headers.host ?? '')) return false;
  return !Object.keys(headers).some((name) => BY_PROXIES.test(name));
}

/** A page elsewhere whose name was made to lead here has another name. */
function isNameOfHere(host: string): boolean {
  const { hostname = '' } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : {};
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}
