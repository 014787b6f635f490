// Checks ranges of network addresses that the operator writes.
import { ConfigError } from './config-error.ts';

/** The prefix lengths of the widest private networks: 10.0.0.0/8 and fc00::/7. A wider range includes public addresses. */
const WIDEST = { v4: 8, v6: 7 };
const BITS = { v4: 32, v6: 128 };

/**
 * Returns the texts if each is a range such as 10.1.0.0/16, or with `addresses` also a single address. Ranges wider than
 * any private network are refused unless `wide` is set, as in the demo. Throws ConfigError naming the entry.
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
  /** The prefix length; null for a single address. */
  readonly bits: number | null;
}

function parseRange(text: string): Range | null {
  const [address = '', length, ...rest] = text.split('/');
  const kind = kindOf(address);
  if (kind === null || rest.length > 0) return null;
  if (length === undefined) return { kind, bits: null };
  return /^\d{1,3}$/.test(length) && Number(length) <= BITS[kind] ? { kind, bits: Number(length) } : null;
}

/** The URL parser validates both notations. An IPv4 text that it would rewrite, such as 010.0.0.1 or 10.1, is refused. */
function kindOf(address: string): Range['kind'] | null {
  if (/^[0-9.]+$/.test(address)) {
    const url = `http://${address}/`;
    return URL.canParse(url) && new URL(url).hostname === address ? 'v4' : null;
  }
  return /^[0-9a-fA-F:.]+$/.test(address) && URL.canParse(`http://[${address}]/`) ? 'v6' : null;
}
