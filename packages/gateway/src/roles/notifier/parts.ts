// What the notifier is made of: its limits, its observer, and everything it reaches.
import type { EndedDelivery, RecordedDelivery } from '../../flows/deliveries/record-delivery.ts';
import type { Reader, Transact } from '../../db/postgres/tx.ts';
import type { IdleChains } from '../../runtime/idle-chains.ts';
import type { World } from '../../runtime/world.ts';
import type { Post, SigningKeys } from './port.ts';

/** Every number is per process; two notifiers side by side may have twice as much under way. */
export interface NotifierLimits {
  /** Attempts under way in this process. */
  readonly maxUnderWay: number;
  /**
   * Attempts under way of one app at one receiver. An app as a whole has a quarter of the places. For a quick receiver more
   * events are prefetched. They wait in this process, and their leases are released where they wait too long.
   */
  readonly maxPerReceiver: number;
  /** The time of one attempt in all. */
  readonly timeoutMs: number;
  /** After this time the process of an unrecorded attempt counts as dead. It is well above `timeoutMs`. */
  readonly leaseMs: number;
  /** The longest time between two looks at the outbox. */
  readonly pollMs: number;
  /** The same after a minute in which no event was due. */
  readonly calmPollMs: number;
  /** The same while all chains are idle, and have been for a while. */
  readonly idlePollMs: number;
  /** How long a stop waits for attempts under way. */
  readonly graceMs: number;
}

/**
 * The contract's 10 s, and room for 256 attempts. Even if dead receivers hold all of them to the end, a place comes free
 * each 40 ms. The claim gives that place to the app that has the least under way.
 */
export const defaultNotifierLimits: NotifierLimits = {
  maxUnderWay: 256,
  maxPerReceiver: 8,
  timeoutMs: 10_000,
  leaseMs: 30_000,
  // A look that finds nothing is one cheap statement. A webhook waits half of this time on average.
  pollMs: 200,
  calmPollMs: 1_000,
  idlePollMs: 3_000,
  graceMs: 12_000,
};

/** Gets what happens, for metrics and logs. Must not throw. */
export interface NotifierObserver {
  onAttempt(report: DeliveryReport): void;
  /** Events that died because their last attempt was never recorded. */
  onDied(events: number): void;
  /** Working on this event caused an error: the event is left alone for an hour, and the others go on. */
  onBroken(eventId: string, error: unknown): void;
  /** Something outside failed; the notifier goes on. */
  onTrouble(where: 'claim' | 'sign' | 'post' | 'record' | 'release', error: unknown): void;
}

export interface NotifierParts {
  readonly transact: Transact;
  readonly reader: Reader;
  readonly world: World;
  readonly idle: Pick<IdleChains, 'idleMs'>;
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
  /** What became of the event; null if that could not be recorded: the event is due again when its lease has ended. */
  readonly recorded: RecordedDelivery | null;
}
