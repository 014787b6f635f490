// The port of a rate source: what a token costs in a fiat currency, with its age and origin.
import type { Currency } from '@ducat/core/chain/currency';
import type { Quote } from '@ducat/core/money/rate';

export interface RateSource {
  /** The newest quote that is young enough, or null where the source has none; throws `Outage` when it cannot tell. */
  quote(currency: Currency, fiat: string): Promise<Quote | null>;
  /** A sentence for operators and pages when these rates are not real, else null. */
  readonly warning: string | null;
}
