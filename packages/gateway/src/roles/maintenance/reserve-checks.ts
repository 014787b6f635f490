// What the checks of reserves are made of.
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import type { Log } from '../../runtime/log.ts';
import type { World } from '../../runtime/world.ts';

export interface ReserveLimits {
  /** Within this time each used address is compared once. */
  readonly roundMs: number;
  /** The limit of calls to providers, for each chain. */
  readonly callsPerMinute: number;
}

export interface ReserveChecks {
  readonly limits: ReserveLimits;
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly idle: Pick<IdleChains, 'rest'>;
  readonly log: Log;
}
