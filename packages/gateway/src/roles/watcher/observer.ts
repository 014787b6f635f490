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
  /** Money that left our addresses and nobody ordered. */
  readonly outflows: number;
  /** More than their currency is believed to move. */
  readonly absurd: number;
}

export interface WatcherObserver {
  /** Whether this process is the one that watches the chain now. */
  onLease(chain: string, held: boolean): void;
  onHead(chain: string, head: number): void;
  onCursor(chain: string, cursor: ChainCursor | null): void;
  onTransfers(chain: string, counts: TransferCounts): void;
  /** At every settling, also with none, so that the first one to come is a rise. */
  onNoted(chain: string, counts: NotedCounts): void;
  onReorg(chain: string, depth: number): void;
  onHalted(chain: string): void;
  onOutage(chain: string, kind: OutageKind): void;
  /** After every step. */
  onProviders(chain: string, providers: readonly ProviderHealth[]): void;
  /** Value that no log shows was found by a balance: with its transaction, or as an unassigned receipt of a block. */
  onInternal(chain: string, found: 'explained' | 'unassigned', count: number): void;
}
