// What a source of prices is: a name, a pace, and a question that ends in readings or in an Outage.
import type { Reading } from '@ducat/core/money/reading';
import type { Get } from './get.ts';

export interface SourceAnswer {
  readonly readings: readonly Reading[];
  /** Single prices that were refused, each with its reason; the rest of the answer counts all the same. */
  readonly refused: readonly string[];
}

export interface PriceSource {
  readonly name: string;
  /** Prices of coins, or reference rates of fiat currencies in dollars. */
  readonly kind: 'coin' | 'fiat';
  /** Where its public API begins, unless the operator names another place. */
  readonly url: string;
  /** How long to wait between two questions, in milliseconds. */
  readonly everyMs: number;
  /** How long from one question of a round to the next, where a round has several; in milliseconds. */
  readonly gapMs?: number;
  /**
   * Asks for the prices of `symbols`: coins for one kind, fiat names for the other. Symbols that the source does not
   * know are left out. Throws Outage where the answer as a whole cannot be had or believed.
   */
  fetch(get: Get, symbols: readonly string[]): Promise<SourceAnswer>;
}
