// When a transaction that waits is offered again at higher prices on the same nonce, and at which.
import type { Amount } from '../money/amount.ts';
import { highestPrice, withPrices } from './cap-terms.ts';
import type { EvmTerms, OfferedTerms } from './terms.ts';

export type Replacement =
  /** It pays what blocks take now; sending the same bytes again is all. */
  | { readonly kind: 'not-needed' }
  | { readonly kind: 'replace'; readonly terms: EvmTerms }
  /** What nodes ask of a replacement would cost more than it may. */
  | { readonly kind: 'cap-reached' };

/** How much higher both prices of a replacement are at least, in parts per million: the strictest node asks for 12.5 %. */
const REPLACEMENT_PPM = 1_125_000n;

/** A tip is too low when blocks take this many times as much. */
const LOW_TIP = 2n;

/** `sent` is what the newest variant offers, `live` what an estimate gives now. */
export function replacementOf(sent: OfferedTerms, live: EvmTerms, cap: Amount): Replacement {
  const isTipLow = !sent.isLegacy && sent.maxPriorityFeePerGas * LOW_TIP <= live.maxPriorityFeePerGas;
  if (sent.maxFeePerGas >= live.priceThen && !isTipLow) return { kind: 'not-needed' };
  const terms = outbid(sent, live, cap);
  return terms === null ? { kind: 'cap-reached' } : { kind: 'replace', terms };
}

/** What nodes take in the place of `sent`, with its gas; null where that would cost more than it may. */
export function outbid(sent: OfferedTerms, live: EvmTerms, cap: Amount): EvmTerms | null {
  const least = { fee: raised(sent.maxFeePerGas), tip: raised(sent.maxPriorityFeePerGas) };
  const most = highestPrice(sent, cap);
  // mark: no-replacement-above-the-cap
  if (least.fee > most || least.tip > most) return null;
  const wanted = {
    ...sent,
    priceThen: live.priceThen,
    maxFeePerGas: higher(least.fee, live.maxFeePerGas),
    maxPriorityFeePerGas: higher(least.tip, live.maxPriorityFeePerGas),
  };
  return withPrices(wanted, most);
}

/** Rounded up, and by one unit at least. */
function raised(price: bigint): bigint {
  const more = (price * REPLACEMENT_PPM + 999_999n) / 1_000_000n;
  return more > price ? more : price + 1n;
}

function higher(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
