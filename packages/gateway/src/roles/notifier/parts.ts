// What the notifier is made of: its limits, its observer, and everything it reaches.
import type { EndedDelivery, RecordedDelivery } from '../../flows/deliveries/record-delivery.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { World } from '../../runtime/world.ts';
import type { Post, SigningKeys } from './port.ts';

/** Every number is per process; two notifiers side by side may have twice as much under way. */
export interface NotifierLimits {
  /** Attempts under way in this process. */
  readonly maxUnderWay: number;
  /**
   * Of those, of one app at one receiver. An app as a whole has a quarter of the places. A queue whose receiver is
   * quick has more prefetched, which wait in this process; their leases are released where they wait too long.
   */
  readonly maxPerReceiver: number;
  /** For one attempt in all. */
  readonly timeoutMs: number;
  /** After which the process of an unrecorded attempt counts as dead; well above `timeoutMs`. */
  readonly leaseMs: number;
  /** The longest time between two looks at the outbox. */
  readonly pollMs: number;
  /** How long a stop waits for attempts under way. */
  readonly graceMs: number;
}

/**
 * The contract's 10 s, and room for 256 attempts: with every one of them held to the end by a dead receiver, a
 * place still comes free each 40 ms, and the claim gives it to whichever app has the least under way.
 */
export const defaultNotifierLimits: NotifierLimits = {
  maxUnderWay: 256,
  maxPerReceiver: 8,
  timeoutMs: 10_000,
  leaseMs: 30_000,
  // A look that finds nothing is one cheap statement, and half of this is what a webhook waits on average.
  pollMs: 200,
  graceMs: 12_000,
};

/** Gets what happens, for metrics and logs. Must not throw. */
export interface NotifierObserver {
  onAttempt(report: DeliveryReport): void;
  /** Events that died because their last attempt was never recorded. */
  onDied(events: number): void;
  /** Working on this event broke something: it is left alone for an hour, and the others go on. */
  onBroken(eventId: string, error: unknown): void;
  /** Something outside failed; the notifier goes on. */
  onTrouble(where: 'claim' | 'sign' | 'post' | 'record' | 'release', error: unknown): void;
}

export interface NotifierParts {
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly post: Post;
  readonly keys: SigningKeys;
  readonly observer: NotifierObserver;
  readonly limits: NotifierLimits;
}

/** One attempt, for metrics and logs. */
export interface DeliveryReport {
  readonly eventId: string;
  readonly appId: string;
  readonly tradeNo: string;
  readonly receiver: string;
  readonly attempt: number;
  readonly outcome: EndedDelivery['outcome'];
  readonly httpStatus: number | null;
  readonly durationMs: number;
  /** What the event came to; null when that could not be recorded: the event is due again when its lease has ended. */
  readonly recorded: RecordedDelivery | null;
}
