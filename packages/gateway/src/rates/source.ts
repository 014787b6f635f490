// A source of prices: a name, a pace, and a request that ends in readings or in an Outage.
import type { Reading } from '@ducat/core/money/reading';
import type { Get } from './get.ts';

export interface SourceAnswer {
  readonly readings: readonly Reading[];
  /** Single prices that were refused, each with its reason. The rest of the answer counts. */
  readonly refused: readonly string[];
}

export interface PriceSource {
  readonly name: string;
  /** Prices of coins, or reference rates of fiat currencies in dollars. */
  readonly kind: 'coin' | 'fiat';
  /** The base URL of its public API, unless the operator names another one. */
  readonly url: string;
  /** How long to wait between two rounds, in milliseconds. */
  readonly everyMs: number;
  /** The least time between two requests of a round, in milliseconds, where a round has several. */
  readonly gapMs?: number;
  /**
   * Asks for the prices of `symbols`: coins for one kind, fiat names for the other. Symbols that the source does not know
   * are left out. Throws Outage where the answer as a whole is missing or cannot be believed.
   */
  fetch(get: Get, symbols: readonly string[]): Promise<SourceAnswer>;
}
