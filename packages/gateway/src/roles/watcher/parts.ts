// What the walk along one chain is made of, and what a step of it comes to.
import type { EncodePaymentEvent } from '@ducat/core/webhook/event';
import type { ChainPort } from '../../chains/port.ts';
import type { Log } from '../../runtime/log.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { World } from '../../runtime/world.ts';
import type { WatcherObserver } from './observer.ts';

export interface WatchChain {
  readonly chain: ChainPort;
  /** The first block on a fresh database; null means as far below the head as money takes to become final. */
  readonly startBlock: number | null;
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly encode: EncodePaymentEvent;
  readonly newEventId: () => string;
  /** How this process is called where it holds the chain's lease. */
  readonly holder: string;
  readonly log: Log;
  readonly observer: WatcherObserver;
}

/** A chain while this process is the one that watches it. */
export interface LeasedChain extends WatchChain {
  /** What it commits under; a process that took over has raised its token. */
  readonly lease: HeldLease;
}

/**
 * What a step came to: `busy` when there may be more at once, `idle` at the head, `halted` when a human is needed,
 * `lease-lost` when another process watches the chain now.
 */
export type Step = 'busy' | 'idle' | 'halted' | 'lease-lost';
