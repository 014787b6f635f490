// No rates at all: prices in fiat are refused, and prices in tokens need no rate.
import { refuse } from '@ducat/core/result';
import type { RateSource } from './port.ts';

const REFUSAL = refuse({
  code: 'rate-unavailable',
  message: 'this gateway has no source of rates; state the amount in tokens',
});

export function createNoRates(): RateSource {
  return { warning: null, quote: () => Promise.resolve(REFUSAL) };
}
