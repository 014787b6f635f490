// What the watcher tells metrics and readiness.
import type { EndpointHealth, UntracedReason } from '../../chains/port.ts';
import type { AcceptedBlock } from '../../flows/blocks/accept-block.ts';
import type { OutageKind } from '../../runtime/outage.ts';
import type { ChainCursor } from '../../db/tables/cursors.ts';

export interface WatcherObserver {
  /** Whether this process is the one that watches the chain now. */
  onLease(chain: string, held: boolean): void;
  onHead(chain: string, head: number): void;
  onCursor(chain: string, cursor: ChainCursor | null): void;
  onAccepted(chain: string, block: number, accepted: AcceptedBlock & { readonly outcome: 'accepted' }): void;
  /** A transaction of which it is not known what it moved; only a reconciliation shows it. */
  onUntraced(chain: string, reason: UntracedReason): void;
  onReorg(chain: string, depth: number): void;
  onHalted(chain: string): void;
  onOutage(chain: string, kind: OutageKind): void;
  /** What each endpoint is like, after every step. */
  onEndpoints(chain: string, endpoints: readonly EndpointHealth[]): void;
}
