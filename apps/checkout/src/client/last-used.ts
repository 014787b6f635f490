// The currency that this browser paid with last; a browser that keeps nothing is fine.

const KEY = 'ducat.currency';

export function rememberCurrency(currencyId: number): void {
  try {
    localStorage.setItem(KEY, String(currencyId));
  } catch {
    // Storage is off.
  }
}

/** 0 for none. */
export function rememberedCurrency(): number {
  try {
    return Number(localStorage.getItem(KEY));
  } catch {
    return 0;
  }
}
