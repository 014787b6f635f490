// What the collector reports to metrics.
import type { OutageKind } from '../../runtime/outage.ts';

/** What became of a collection or of a step of it. */
export type CollectionEvent = 'started' | 'moving' | 'collected' | 'again' | 'frozen';

export interface CollectorObserver {
  /** Whether this process is the one that collects on the chain now. */
  onLease(chain: string, held: boolean): void;
  onCollection(chain: string, event: CollectionEvent): void;
  /** Whether the gas wallet had too little for what was to be funded last. */
  onGasShort(chain: string, isShort: boolean): void;
  onOutage(chain: string, kind: OutageKind): void;
}
