// What one notifier has claimed, queue by queue: sent now, ended but not recorded yet, or waiting for its turn.
import type { Queue, Share } from '@ducat/core/webhook/fair-share';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import type { World } from '../../runtime/world.ts';
import type { NotifierLimits } from './parts.ts';

/** The most that one app takes of all places, however many receivers it has: other apps always find a free place. */
const APP_SHARE = 1 / 4;
/** Each quick attempt lets the queue prefetch so many events more. Any other attempt ends the prefetching. */
const PREFETCH_STEP = 2;
/** Prefetched events of a queue must not take longer than this, if each of them takes as long as the last attempt. */
const PREFETCH_MS = 1_000;
/** The most events that one queue prefetches. */
const MAX_PREFETCHED = 384;
/** A receiver that takes webhooks in this time or less is quick. */
const QUICK_MS = 100;
/** The most events that all queues prefetch together. */
const MAX_PREFETCHED_IN_ALL = 1_024;
/**
 * An event that has waited longer than this since its claim is not sent: its lease is released. The time is far below the
 * lease less the time of an attempt. It also bounds how long a receiver that is no longer quick can hold its own events.
 */
const MAX_WAIT_MS = 2_000;
/** How long no events of an app are claimed after its key could not be read. */
const PAUSE_MS = 1_000;

interface Waiting {
  readonly delivery: ClaimedDelivery;
  readonly claimedAtMs: number;
}

/** The claimed events of one queue. A queue without any is forgotten before a claim. */
class ClaimedQueue {
  readonly id: Queue;
  sending = 0;
  recording = 0;
  readonly waiting: Waiting[] = [];
  /** How many events may be claimed beyond those that have a place. */
  prefetch = 0;

  constructor(id: Queue) {
    this.id = id;
  }

  get claimed(): number {
    return this.sending + this.recording + this.waiting.length;
  }
}

/**
 * To be called when an attempt has ended, before its end is recorded. `quickMs` is how long the attempt took, if that shows
 * that the receiver can take more at once; else null. Returns whether the queue has more to send.
 */
export type Sent = (quickMs: number | null) => boolean;

export type Begin = (delivery: ClaimedDelivery, claimedAtMs: number, sent: Sent) => Promise<void>;

export class ClaimedQueues {
  /** Set when the notifier stops waiting: nothing is recorded from then on. */
  abandoned = false;
  readonly #limits: NotifierLimits;
  readonly #world: World;
  readonly #begin: Begin;
  readonly #queues = new Map<string, ClaimedQueue>();
  readonly #attempts = new Set<Promise<void>>();
  /** Ids of the events of these attempts: after a jump of the clock an event may be claimed again while it is being sent. */
  readonly #begun = new Set<string>();
  #overdue: ClaimedDelivery[] = [];
  /** Until when each app is paused, by AppId. Bounded by the number of apps. */
  readonly #pausedUntilMs = new Map<string, number>();
  #stopped = false;
  #rest = new AbortController();
  #bugs: unknown[] = [];

  constructor(limits: NotifierLimits, world: World, begin: Begin) {
    this.#limits = limits;
    this.#world = world;
    this.#begin = begin;
  }

  /** The most places that one app may have. */
  get appShare(): number {
    return Math.ceil(this.#limits.maxUnderWay * APP_SHARE);
  }

  /** The queue of each place that is taken. */
  get places(): readonly Queue[] {
    return [...this.#queues.values()].flatMap((queue) => Array<Queue>(this.#placesOf(queue)).fill(queue.id));
  }

  /**
   * How many events each queue may prefetch now. A prefetched event takes over a place of its own queue, which no other
   * queue gets then. So nothing is prefetched while more than half of all places, or of the app's share, are taken.
   * Nothing is prefetched for a queue with free places either, so no limit is passed.
   */
  prefetch(places: readonly Queue[]): readonly Share[] {
    if (places.length * 2 > this.#limits.maxUnderWay) return [];
    const load = new Map<string, number>();
    for (const { appId } of places) load.set(appId, (load.get(appId) ?? 0) + 1);
    let left = MAX_PREFETCHED_IN_ALL;
    for (const { waiting } of this.#queues.values()) left -= waiting.length;
    return [...this.#queues.values()].flatMap((queue) => {
      if ((load.get(queue.id.appId) ?? 0) * 2 > this.appShare) return [];
      if (this.#placesOf(queue) < this.#limits.maxPerReceiver) return [];
      const beyondPlaces = queue.claimed - this.#limits.maxPerReceiver;
      const deliveries = Math.min(left, queue.prefetch - beyondPlaces);
      if (deliveries <= 0) return [];
      left -= deliveries;
      return [{ ...queue.id, deliveries }];
    });
  }

  /** Apps of which nothing is to be claimed now. */
  get pausedApps(): readonly string[] {
    for (const [appId, untilMs] of this.#pausedUntilMs) {
      const leftMs = untilMs - this.#world.nowMs();
      // More than a whole pause is left if the clock was set back.
      if (leftMs <= 0 || leftMs > PAUSE_MS) this.#pausedUntilMs.delete(appId);
    }
    return [...this.#pausedUntilMs.keys()];
  }

  /** Begins the claimed deliveries, or lets them wait for their turn. */
  take(deliveries: readonly ClaimedDelivery[], claimedAtMs: number): void {
    for (const delivery of deliveries) {
      const queue = this.#queueOf(delivery);
      const hasPlace = queue.sending < this.#limits.maxPerReceiver;
      if (this.#begun.has(delivery.eventId)) this.#overdue.push(delivery);
      else if (this.#pausedUntilMs.has(delivery.appId)) this.#giveUp(queue, delivery);
      else if (hasPlace && !this.#stopped) this.#send(queue, { delivery, claimedAtMs });
      else queue.waiting.push({ delivery, claimedAtMs });
      this.#forgetEmpty(queue);
    }
  }

  /** The claimed delivery was not sent and will not be: its lease is to be released. */
  notSent(delivery: ClaimedDelivery): void {
    this.#overdue.push(delivery);
  }

  /** Sends no more events of an app for a moment. The leases of its waiting events are to be released. */
  pause(appId: string): void {
    this.#pausedUntilMs.set(appId, this.#world.nowMs() + PAUSE_MS);
    for (const queue of this.#queues.values()) {
      if (queue.id.appId !== appId) continue;
      for (const { delivery } of queue.waiting.splice(0)) this.#giveUp(queue, delivery);
      this.#forgetEmpty(queue);
    }
  }

  /** Takes out deliveries that waited too long or were not sent, or all that wait, so that their leases are released. */
  takeOverdue(everything: boolean): readonly ClaimedDelivery[] {
    for (const queue of this.#queues.values()) {
      while (queue.waiting[0] !== undefined && (everything || this.#isOverdue(queue.waiting[0]))) {
        const next = queue.waiting.shift();
        if (next !== undefined) this.#giveUp(queue, next.delivery);
      }
      this.#forgetEmpty(queue);
    }
    const overdue = this.#overdue;
    this.#overdue = [];
    return overdue;
  }

  /**
   * Called before a claim, so that an attempt that ends while the claim runs cuts the next rest short. A queue that becomes
   * empty while the claim runs is kept until the next claim. Otherwise a slow claim would forget that a receiver is quick.
   */
  prepareClaim(): void {
    if (this.#rest.signal.aborted) this.#rest = new AbortController();
    for (const queue of this.#queues.values()) this.#forgetEmpty(queue);
  }

  /** Rests for this time, or until there is room for more. Does not rest for 0. */
  async rest(ms: number): Promise<void> {
    if (ms > 0) await this.#world.sleep(ms, this.#rest.signal);
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Begins no more attempts. What a claim under way still returns is not sent: its leases are released. */
  stop(): void {
    this.#stopped = true;
    this.wake();
  }

  wake(): void {
    // Without a reason each call would create an error object, even when there is no rest to cut short.
    if (!this.#rest.signal.aborted) this.#rest.abort('woken');
  }

  /** Resolves when nothing is under way. */
  async allDone(): Promise<void> {
    while (this.#attempts.size > 0) await Promise.all(this.#attempts);
  }

  /** Keeps a bug of code that runs beside the loop; `throwBug` throws it in the loop. */
  keepBug(bug: unknown): void {
    this.#bugs.push(bug);
    this.wake();
  }

  throwBug(): void {
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }

  /** A place is taken until the end of its attempt is recorded. A quick queue uses it again before that, hence the bound. */
  #placesOf(queue: ClaimedQueue): number {
    return Math.min(this.#limits.maxPerReceiver, queue.sending + queue.recording);
  }

  #mostPrefetched(quickMs: number): number {
    const inTime = Math.floor((this.#limits.maxPerReceiver * PREFETCH_MS) / Math.max(1, quickMs));
    return Math.min(MAX_PREFETCHED, inTime);
  }

  #queueOf({ appId, receiver }: Queue): ClaimedQueue {
    const key = `${appId} ${receiver}`;
    const known = this.#queues.get(key);
    if (known !== undefined) return known;
    const queue = new ClaimedQueue({ appId, receiver });
    this.#queues.set(key, queue);
    return queue;
  }

  #forgetEmpty(queue: ClaimedQueue): void {
    if (queue.claimed === 0) this.#queues.delete(`${queue.id.appId} ${queue.id.receiver}`);
  }

  /** Makes one attempt and counts it until its end is recorded. A rejection is a bug, kept for `throwBug`. */
  #send(queue: ClaimedQueue, { delivery, claimedAtMs }: Waiting): void {
    let sending = true;
    queue.sending += 1;
    this.#begun.add(delivery.eventId);
    const sent = (quickMs: number | null) => {
      sending = false;
      queue.sending -= 1;
      queue.recording += 1;
      queue.prefetch =
        quickMs === null ? 0 : Math.min(queue.prefetch + PREFETCH_STEP, this.#mostPrefetched(quickMs));
      this.#sendNext(queue);
      // The queue's places count as taken until the end is recorded, so a claim can only prefetch for the queue now.
      if (queue.prefetch > 0) this.#wakeIfLow(queue);
      return queue.waiting.length > 0 && !this.#stopped;
    };
    const attempt: Promise<void> = this.#begin(delivery, claimedAtMs, sent)
      .catch((bug: unknown) => {
        this.#bugs.push(bug);
      })
      .finally(() => {
        if (sending) queue.sending -= 1;
        else queue.recording -= 1;
        this.#attempts.delete(attempt);
        this.#begun.delete(delivery.eventId);
        this.#wakeIfLow(queue);
      });
    this.#attempts.add(attempt);
  }

  #sendNext(queue: ClaimedQueue): void {
    if (this.#stopped) return undefined;
    for (let next = queue.waiting.shift(); next !== undefined; next = queue.waiting.shift()) {
      if (!this.#isOverdue(next)) return this.#send(queue, next);
      this.#giveUp(queue, next.delivery);
    }
    return undefined;
  }

  /** The queue no longer counts as quick: otherwise the delivery would be claimed again at once. */
  #giveUp(queue: ClaimedQueue, delivery: ClaimedDelivery): void {
    queue.prefetch = 0;
    this.#overdue.push(delivery);
  }

  /** Does not wake the loop for a queue with enough to do until the next claim, so that claims come in batches. */
  #wakeIfLow(queue: ClaimedQueue): void {
    if (queue.waiting.length * 2 <= queue.prefetch || this.#bugs.length > 0) this.wake();
  }

  #isOverdue({ claimedAtMs }: Waiting): boolean {
    const waitedMs = this.#world.nowMs() - claimedAtMs;
    // If the clock was set back, the waiting time is unknown.
    return waitedMs < 0 || waitedMs > MAX_WAIT_MS;
  }
}

/** How long an attempt took if it shows a receiver that can be given more at once, else null. */
export function quickMs(outcome: string, durationMs: number): number | null {
  return outcome === 'delivered' && durationMs <= QUICK_MS ? durationMs : null;
}
