// When a transaction that waits is replaced at higher prices on the same nonce, and at which prices.
import type { Amount } from '../money/amount.ts';
import { highestPrice, withPrices } from './cap-terms.ts';
import type { EvmTerms, OfferedTerms } from './terms.ts';

export type Replacement =
  /** The transaction pays what blocks cost now, so the same bytes are broadcast again. */
  | { readonly kind: 'not-needed' }
  | { readonly kind: 'replace'; readonly terms: EvmTerms }
  /** The lowest prices that nodes accept of a replacement are above the fee cap. */
  | { readonly kind: 'cap-reached' };

/** The lowest prices of a replacement, in parts per million of the ones before: the strictest node asks for 12.5 % more. */
const REPLACEMENT_PPM = 1_125_000n;

/** A tip is too low once the tip that blocks take now is this many times as high. */
const LOW_TIP = 2n;

/** `sent` is what the newest variant offers, `live` what an estimate gives now. */
export function replacementOf(sent: OfferedTerms, live: EvmTerms, cap: Amount): Replacement {
  const isTipLow = !sent.isLegacy && sent.maxPriorityFeePerGas * LOW_TIP <= live.maxPriorityFeePerGas;
  if (sent.maxFeePerGas >= live.priceThen && !isTipLow) return { kind: 'not-needed' };
  const terms = outbid(sent, live, cap);
  return terms === null ? { kind: 'cap-reached' } : { kind: 'replace', terms };
}

/** Terms that nodes accept in the place of `sent`, with the same gas limit; null where their fee is above the cap. */
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
