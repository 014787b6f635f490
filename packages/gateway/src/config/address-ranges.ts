// Ranges of network addresses as the operator writes them.
import { ConfigError } from './config-error.ts';

/** No private network is wider: 10.0.0.0/8 and fc00::/7. A wider range trusts half the internet by mistake. */
const WIDEST = { v4: 8, v6: 7 };
const BITS = { v4: 32, v6: 128 };

/**
 * Gives the texts back once each is a range such as 10.1.0.0/16, or an address where `addresses` are taken too.
 * Ranges wider than any private network are refused outside the demo. Throws ConfigError naming the entry.
 */
export function addressRanges(
  entry: string,
  texts: readonly string[],
  allowed: { readonly addresses: boolean; readonly wide: boolean },
): readonly string[] {
  for (const text of texts) {
    const range = parseRange(text);
    if (range === null || (range.bits === null && !allowed.addresses)) {
      throw new ConfigError(`${entry}: "${text}" is no range of addresses such as 10.1.0.0/16 or fd00::/8`);
    }
    if (!allowed.wide && isWide(text)) {
      throw new ConfigError(
        `${entry}: ${text} is wider than any private network (/${WIDEST.v4}, for IPv6 /${WIDEST.v6})`,
      );
    }
  }
  return texts;
}

/** Whether a range is wider than any private network can be. */
export function isWide(text: string): boolean {
  const range = parseRange(text);
  return range !== null && range.bits !== null && range.bits < WIDEST[range.kind];
}

interface Range {
  readonly kind: 'v4' | 'v6';
  /** Null for one address without a length. */
  readonly bits: number | null;
}

function parseRange(text: string): Range | null {
  const [address = '', length, ...rest] = text.split('/');
  const kind = kindOf(address);
  if (kind === null || rest.length > 0) return null;
  if (length === undefined) return { kind, bits: null };
  return /^\d{1,3}$/.test(length) && Number(length) <= BITS[kind] ? { kind, bits: Number(length) } : null;
}

/** The URL parser knows both notations; it must not change an IPv4 address, as it does with 010.0.0.1 or 10.1. */
function kindOf(address: string): Range['kind'] | null {
  if (/^[0-9.]+$/.test(address)) {
    const url = `http://${address}/`;
    return URL.canParse(url) && new URL(url).hostname === address ? 'v4' : null;
  }
  return /^[0-9a-fA-F:.]+$/.test(address) && URL.canParse(`http://[${address}]/`) ? 'v6' : null;
}
