// What the watcher tells metrics and readiness.
import type { AcceptedBlock } from '../../flows/accept-block.ts';
import type { ChainCursor } from '../../store/cursors.ts';

export interface WatcherObserver {
  onHead(chain: string, head: number): void;
  onCursor(chain: string, cursor: ChainCursor | null): void;
  onAccepted(chain: string, block: number, accepted: AcceptedBlock & { readonly outcome: 'accepted' }): void;
  /** Transactions that no node could trace: what moved inside them only a reconciliation shows. */
  onUntraced(chain: string, transactions: number): void;
  onReorg(chain: string, depth: number): void;
  onHalted(chain: string): void;
  onOutage(chain: string): void;
}
