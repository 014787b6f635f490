// The name under which the pace of a network address is counted.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address counts by itself; an IPv6 address by its /64, since one customer usually has all of that. */
export function addressKey(ip: string): string {
  // An IPv4 address counts as it is written.
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}

/** Wider: an IPv6 address by its /48, which is what a network rents at a time; it has 65,536 names of the narrow kind. */
export function networkKey(ip: string): string {
  const key = addressKey(ip);
  return key.includes(':') ? key.split(':').slice(0, 3).join(':') : key;
}

/** Whether it is an address of this very machine. */
export function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
}
