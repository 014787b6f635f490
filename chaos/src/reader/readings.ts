// Everything that the reader of a run has read, which the checks compare.
import type { Books } from './books.ts';
import type { FinalChain } from './chain-transfers.ts';
import type { Delivered } from './checks/check-deliveries.ts';
import type { Asked, Promised } from './checks/check-promises.ts';

/** Everything that was read, at rest. */
export interface Readings {
  readonly books: Books;
  readonly finals: readonly FinalChain[];
  /** The decimals of each currency, by its id. */
  readonly decimals: ReadonlyMap<number, number>;
  /** The number of each chain on the wire, by the chain's name. */
  readonly chainIds: ReadonlyMap<string, number>;
  readonly feePpm: number;
  /** Every order that any merchant ever asked for, answered or not. */
  readonly asked: readonly Asked[];
  readonly promised: readonly Promised[];
  /** Everything that any merchant's receiver was sent. */
  readonly deliveries: readonly Delivered[];
}
