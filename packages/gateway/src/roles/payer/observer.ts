// What the payer reports to metrics.
import type { BroadcastAnswer } from '../../chains/port/writer.ts';
import type { SignRefusal } from '@ducat/core/signing/sign-answer';
import type { OutageKind } from '../../runtime/outage.ts';

export interface PayerObserver {
  /** Whether this process is the one that pays on the chain now. Called first when it begins to stand by. */
  onLease(chain: string, held: boolean): void;
  onSigned(chain: string, count: number): void;
  onRefused(chain: string, reason: SignRefusal): void;
  onBroadcast(chain: string, outcome: BroadcastAnswer['outcome']): void;
  onReplaced(chain: string): void;
  /** A transaction expired for good and is built anew. */
  onRebuilt(chain: string, count: number): void;
  /** An item broke and is in quarantine. */
  onBroken(chain: string, reason: string): void;
  onOutage(chain: string, kind: OutageKind): void;
}
