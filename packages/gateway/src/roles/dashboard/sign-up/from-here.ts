// Whether a browser on this machine asks: by the machine's name, from its address, and without a proxy's headers.
import type { FastifyRequest } from 'fastify';
import { isLoopback } from '../../../http/address-key.ts';

/** Headers that proxies add. A proxy that adds none still sends the host name that its visitor typed, or its own. */
const BY_PROXIES = /^(?:forwarded|via|x-real-ip|x-forwarded-.*)$/;

export function isFromHere({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): boolean {
  if (!isLoopback(ip) || !isNameOfHere(headers.host ?? '')) return false;
  return !Object.keys(headers).some((name) => BY_PROXIES.test(name));
}

/** Keeps off DNS rebinding: a foreign page whose name was pointed at this machine still has another name. */
function isNameOfHere(host: string): boolean {
  const { hostname = '' } = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : {};
  return hostname === 'localhost' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}
