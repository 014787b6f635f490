// What paying on one chain is made of.
import type { ChainWriter } from '../../chains/port/writer.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { ChainCursor } from '../../db/tables/cursors.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { SigningPort } from '../../keys/signer/port.ts';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import type { Log } from '../../runtime/log.ts';
import type { World } from '../../runtime/world.ts';
import type { PayerObserver } from './observer.ts';

export interface PayChain {
  readonly writer: ChainWriter;
  readonly signer: SigningPort;
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly idle: Pick<IdleChains, 'rest'>;
  /** The name under which this process holds the chain's lease. */
  readonly holder: string;
  readonly log: Log;
  readonly observer: PayerObserver;
}

/** A chain while this process is the one that pays on it. */
export interface LeasedPayer extends PayChain {
  /** The lease that the payer commits under. A process that took over has raised the fencing token. */
  readonly lease: HeldLease;
}

/** The cursor of a chain that is not halted and has a final block. */
export type StandingChain = ChainCursor & { readonly finalNumber: number };

/** `busy` when there may be more at once, `idle` when not, `lease-lost` when another process pays on the chain now. */
export type PayOutcome = 'busy' | 'idle' | 'lease-lost';
