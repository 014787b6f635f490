// The port of a rate source: the price of a token in a fiat currency with its evidence, or the reason why there is none.
import type { Currency } from '@ducat/core/chain/currency';
import type { Quote } from '@ducat/core/money/rate';
import type { Result } from '@ducat/core/result';

export interface RateSource {
  /**
   * The newest quote that is young enough, or a `rate-unavailable` refusal that says why there is none. Throws `Outage`
   * where the source cannot decide.
   */
  quote(currency: Currency, fiat: string): Promise<Result<Quote>>;
  /** A sentence for operators and pages when these rates are not real, else null. */
  readonly warning: string | null;
}
