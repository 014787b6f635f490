// The key under which requests and connections of a network address are counted.
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An IPv4 address counts by itself; an IPv6 address by its /64, since one customer usually has all of that. */
export function addressKey(ip: string): string {
  if (isIPv4(ip)) return ip;
  if (!ipaddr.isValid(ip)) return 'unknown';
  const address = ipaddr.process(ip);
  return address instanceof ipaddr.IPv6 ? address.parts.slice(0, 4).join(':') : address.toString();
}

/** A wider key: an IPv6 address counts by its /48, the size that networks are rented in. A /48 has 65,536 narrow keys. */
export function networkKey(ip: string): string {
  const key = addressKey(ip);
  return key.includes(':') ? key.split(':').slice(0, 3).join(':') : key;
}

/** Whether the address is one of this very machine. */
export function isLoopback(ip: string): boolean {
  return ipaddr.isValid(ip) && ipaddr.process(ip).range() === 'loopback';
}
