// Ranges of network addresses as a merchant writes them, and whether an address lies in one.
import ipaddr from 'ipaddr.js';

/**
 * The one spelling in which an address or a range such as 203.0.113.0/24 is stored: the first address of the range with its
 * length. Null where the text is neither, and where it covers every address.
 */
export function canonicalRange(text: string): string | null {
  const range = parseRange(text);
  if (range === null) return null;
  const [start, bits] = range;
  if (bits === 0) return null;
  const family = start.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
  const first = family.networkAddressFromCIDR(`${start.toString()}/${bits}`);
  return `${first.toString()}/${bits}`;
}

/** An IPv4 address in IPv6 form counts as the IPv4 address that it is. */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((text) => {
    const [start, bits] = ipaddr.parseCIDR(text);
    return start.kind() === parsed.kind() && parsed.match(start, bits);
  });
}

function parseRange(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] | null {
  const [address = '', length, ...rest] = text.split('/');
  // Forms such as 10.1 or 0x7f.1 are addresses to some programs and others to others.
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (rest.length > 0 || (!isV4 && !(address.includes(':') && ipaddr.IPv6.isValid(address)))) return null;
  const parsed = ipaddr.parse(address);
  const most = parsed.kind() === 'ipv4' ? 32 : 128;
  if (parsed instanceof ipaddr.IPv6 && (parsed.isIPv4MappedAddress() || address.includes('%'))) return null;
  if (length === undefined) return [parsed, most];
  return /^\d{1,3}$/.test(length) && Number(length) <= most ? [parsed, Number(length)] : null;
}
