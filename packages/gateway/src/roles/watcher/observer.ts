// What the watcher reports to metrics.
import type { ProviderHealth } from '../../chains/port/reader.ts';
import type { ChainCursor } from '../../db/tables/cursors.ts';
import type { OutageKind } from '../../runtime/outage.ts';

/** Transfers of ours that were seen, and those that became final. */
export interface TransferCounts {
  readonly seen: number;
  readonly settled: number;
}

/** Settled transfers that a person should look at. */
export interface NotedCounts {
  /** Money that counts for no order. */
  readonly unassigned: number;
  /** Money that left our addresses without an intent of ours. */
  readonly outflows: number;
  /** Transfers of more than their currency is believed to move. */
  readonly absurd: number;
}

export interface WatcherObserver {
  /** Whether this process is the one that watches the chain now. Called first when it begins to stand by. */
  onLease(chain: string, held: boolean): void;
  onHead(chain: string, head: number): void;
  onCursor(chain: string, cursor: ChainCursor | null): void;
  onTransfers(chain: string, counts: TransferCounts): void;
  /** Called at every settling, also with zeros, so that a metric exists before its first rise. */
  onNoted(chain: string, counts: NotedCounts): void;
  onReorg(chain: string, depth: number): void;
  onHalted(chain: string): void;
  onOutage(chain: string, kind: OutageKind): void;
  /** After every step. */
  onProviders(chain: string, providers: readonly ProviderHealth[]): void;
  /**
   * A balance showed value that no log shows. It was booked with its transaction, or as an unassigned receipt of a block.
   */
  onInternal(chain: string, found: 'explained' | 'unassigned', count: number): void;
}
