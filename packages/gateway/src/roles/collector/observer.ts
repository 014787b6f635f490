// What the collector reports to metrics.
import type { ChainDefinition } from '@ducat/core/chain/chain';
import type { GasRunway } from '@ducat/core/collection/runway';
import type { StakeLook } from '@ducat/core/collection/stake-runway';
import type { OutageKind } from '../../runtime/outage.ts';

/** What became of a collection or of a step of it. */
export type CollectionEvent =
  | 'started'
  | 'delegating'
  | 'moving'
  | 'collected'
  | 'again'
  | 'frozen'
  /** The energy that was delegated for a collection is back (`returned`), or another key took it back (`taken`). */
  | 'returned'
  | 'taken'
  /** The collection or holding caused an error and is in quarantine. */
  | 'broken';

/** What became of an app's wallet that has too little coin for the fees of its payouts. */
export type TopUpEvent = 'started' | 'withdrawn' | 'over-budget' | 'gas-short';

export interface CollectorObserver {
  /** Whether this process is the one that collects on the chain now. Called first when it begins to stand by. */
  onLease(chain: string, held: boolean): void;
  onCollection(chain: string, event: CollectionEvent): void;
  /** Whether the gas wallet had too little coin for the newest funding. */
  onGasShort(chain: string, isShort: boolean): void;
  onTopUp(chain: string, event: TopUpEvent): void;
  /** How long the gas wallet lasts, and whether that is less than the operator wants. */
  onRunway(chain: string, runway: GasRunway, isShort: boolean): void;
  /** How much energy the operator's stake yields, and what uses it. */
  onStake(chain: ChainDefinition, look: StakeLook): void;
  onOutage(chain: string, kind: OutageKind): void;
}
