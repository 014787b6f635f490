// What collecting on one chain is made of.
import type { CollectionPolicy } from '@ducat/core/collection/policy';
import type { AddressScheme } from '../../chains/port/address-scheme.ts';
import type { ChainWriter } from '../../chains/port/writer.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { HeldLease } from '../../db/tables/leases.ts';
import type { QuarantinedItem } from '../../db/tables/outgoing/quarantines.ts';
import type { SignerPort } from '../../keys/signer/port.ts';
import type { RateSource } from '../../rates/port.ts';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import type { Log } from '../../runtime/log.ts';
import type { World } from '../../runtime/world.ts';
import type { CollectorObserver } from './observer.ts';

export interface CollectChain {
  /** Estimates what transfers would cost. The collector broadcasts nothing itself. */
  readonly writer: Pick<ChainWriter, 'definition' | 'estimate' | 'stakeOf' | 'delegatedTo' | 'sweepGround'>;
  readonly policy: CollectionPolicy;
  readonly rates: RateSource;
  readonly signer: SignerPort;
  readonly addresses: AddressScheme;
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly idle: Pick<IdleChains, 'rest'>;
  /** The name under which this process holds the chain's lease. */
  readonly holder: string;
  readonly log: Log;
  readonly observer: CollectorObserver;
}

/** A chain while this process is the one that collects on it. */
export interface LeasedCollector extends CollectChain {
  readonly lease: HeldLease;
  /** Called with the item that is worked on, and with null in between. An error is attributed to that item. */
  readonly onItem: (item: QuarantinedItem | null) => void;
  /** How many items failed in a row without a success between them, counted over all rounds of this worker. */
  readonly inARow: { broken: number };
}

/** `busy` when there may be more at once, `idle` when not, `lease-lost` when another process collects on the chain now. */
export type CollectOutcome = 'busy' | 'idle' | 'lease-lost';
