// No rates at all: prices in fiat are refused, prices in tokens need none.
import type { RateSource } from './port.ts';

export function createNoRates(): RateSource {
  return { warning: null, quote: () => Promise.resolve(null) };
}
