// A currency: one coin or token on one chain, with the number it keeps for ever.
import { type Amount, amountOf, type CurrencyId } from '../money/amount.ts';

export interface Currency {
  /** Pinned for ever: ETH 1000-1999, BSC 2000-2999, Tron 3000-3999, WKC 4000-4999; x000 is the native currency. */
  readonly currencyId: CurrencyId;
  readonly symbol: string;
  /** The token's contract in the family's canonical text; null for the chain's native currency. */
  readonly contract: string | null;
  /** Digits behind the point of one whole token, as the chain counts. */
  readonly decimals: number;
  /** Digits that amounts made from a fiat price are rounded up to. */
  readonly displayDecimals: number;
  /** Whether the gateway offers it unless the operator says otherwise. */
  readonly enabled: boolean;
  /** Why it is off unless the operator says otherwise; only where `enabled` is false in the catalogue. */
  readonly offReason?: string;
  /**
   * The rate asset by which the currency is priced, where that is not its symbol: a promise of a coin is not that coin. Null
   * where the operator named none, because a symbol alone proves nothing.
   */
  readonly rateAsset?: string | null;
  /** The most whole tokens that one payment is believed to bring; 10^16 where nothing is said. */
  readonly maxCredit?: bigint;
}

/** More than there is of any token worth listing, and far less than a contract can report. */
const DEFAULT_MAX_CREDIT = 10n ** 16n;

/** A payment above this counts for no order: a contract may log or mint whatever it likes. */
export function creditBound({
  currencyId,
  decimals,
  maxCredit = DEFAULT_MAX_CREDIT,
}: Pick<Currency, 'currencyId' | 'decimals' | 'maxCredit'>): Amount {
  return amountOf(currencyId, maxCredit * 10n ** BigInt(decimals));
}

/** The name under which the sources of rates know a currency; null where they are not to be asked. */
export function rateAssetOf({ symbol, rateAsset }: Pick<Currency, 'symbol' | 'rateAsset'>): string | null {
  return rateAsset === undefined ? symbol : rateAsset;
}

/** Whether the chain pays its fees in it. */
export function isNativeCurrency(currency: Currency): boolean {
  return currency.contract === null;
}
