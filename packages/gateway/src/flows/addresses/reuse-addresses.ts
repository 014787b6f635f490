// Hands addresses of long-ended orders back to the pool, on chains whose operator allows it.
import { releaseAddresses } from '../../db/tables/addresses.ts';
import type { Tx } from '../../db/postgres/tx.ts';

const DAY_S = 24 * 60 * 60;

export interface ReuseAddresses {
  readonly chain: string;
  readonly afterDays: number;
  /** Addresses released in one transaction at the most. */
  readonly limit: number;
  /** Unix seconds. */
  readonly now: number;
}

/** Returns how many addresses were released. */
export function reuseAddresses(tx: Tx, { chain, afterDays, limit, now }: ReuseAddresses): Promise<number> {
  return releaseAddresses(tx, chain, now - afterDays * DAY_S, limit);
}
