// Distinguishes addresses of the public internet from all others.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Whether an address in its usual text form belongs to the public internet. Two lists must agree, because
 * libraries have been wrong here again and again: the ranges that ipaddr.js knows, and the list below, which for
 * IPv6 names what is public rather than what is not.
 */
export function isGloballyRoutable(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (parsed.kind() === 'ipv6' && !within(parsed, PUBLIC_IPV6)) return false;
  return !SPECIAL.some((range) => within(parsed, range));
}

/** Ranges that the operator trusts although they are not public. */
export type AllowList = readonly Range[];

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Reads CIDR texts such as "127.0.0.0/8" and "::1/128"; throws an Error that names a text that is no CIDR. */
export function parseAllowList(texts: readonly string[]): AllowList {
  return texts.map((text) => {
    const [address = '', ...rest] = text.split('/');
    if (isIP(address) === 0 || rest.length !== 1 || !ipaddr.isValidCIDR(text)) {
      throw new Error(`"${text}" is no range of addresses such as 10.1.0.0/16 or fd00::/8`);
    }
    return ipaddr.parseCIDR(text);
  });
}

/** Whether the list holds the address. An IPv4 range never holds the IPv4-mapped IPv6 form of its addresses. */
export function isAllowed(address: string, allowed: AllowList): boolean {
  return isIP(address) !== 0 && allowed.some((range) => within(ipaddr.parse(address), range));
}

/** One spelling for each address, so that two can be compared. */
export function canonicalAddress(address: string): string {
  return isIP(address) === 0 ? address : ipaddr.parse(address).toNormalizedString();
}

function within(address: Address, [start, bits]: Range): boolean {
  return address.kind() === start.kind() && address.match(start, bits);
}

const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');

/** Ranges that the IANA special-purpose registries take out of unicast space, multicast, and an address that a cloud has. */
const SPECIAL: readonly Range[] = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // the host's own service for each machine on Azure
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved and broadcast
  '2001::/23', // protocol assignments: Teredo, benchmarking, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries any IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
].map((text) => ipaddr.parseCIDR(text));
