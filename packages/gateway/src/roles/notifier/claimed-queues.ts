// What one notifier has claimed, queue by queue: sent now, ended but not recorded yet, or waiting for its turn.
import type { Queue, Share } from '@ducat/core/webhook/fair-share';
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import type { World } from '../../runtime/world.ts';
import type { NotifierLimits } from './parts.ts';

/** No app takes more of the places than this, however many receivers it has: the others always find one free. */
const APP_SHARE = 1 / 4;
/** For each attempt that was quick, so many more are prefetched; one that was not ends it. */
const PREFETCH_STEP = 2;
/** Never more are prefetched than would take this long if all took as long as the last one, */
const PREFETCH_MS = 1_000;
/** and never more than this. */
const MAX_PREFETCHED = 384;
/** A receiver that takes webhooks in this time or less is quick. */
const QUICK_MS = 100;
/** Over all queues. */
const MAX_PREFETCHED_IN_ALL = 1_024;
/**
 * Nothing is sent that has waited longer than this since its claim: its lease is released. That is far below what the
 * lease has left beside the time of an attempt, and bounds for how long a receiver that was quick can hold its own.
 */
const MAX_WAIT_MS = 2_000;
/** How long nothing of an app is claimed after its key could not be had. */
const PAUSE_MS = 1_000;

interface Waiting {
  readonly delivery: ClaimedDelivery;
  readonly claimedAtMs: number;
}

/** One queue's attempts. It is forgotten when it has none before a claim. */
class ClaimedQueue {
  readonly id: Queue;
  sending = 0;
  recording = 0;
  readonly waiting: Waiting[] = [];
  /** How many may be claimed beyond those that have a place. */
  prefetch = 0;

  constructor(id: Queue) {
    this.id = id;
  }

  get claimed(): number {
    return this.sending + this.recording + this.waiting.length;
  }
}

/**
 * To be called when an attempt has ended, before its end is recorded. Takes how long the attempt took where that shows
 * that the receiver can be given more at once, else null. Returns whether the queue has more to send.
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
  /** The events of these attempts: after a jump of the clock one may be claimed again while it is still being sent. */
  readonly #begun = new Set<string>();
  #overdue: ClaimedDelivery[] = [];
  /** Until when, by app; bounded by the apps there are. */
  readonly #pausedUntilMs = new Map<string, number>();
  #stopped = false;
  #rest = new AbortController();
  #bugs: unknown[] = [];

  constructor(limits: NotifierLimits, world: World, begin: Begin) {
    this.#limits = limits;
    this.#world = world;
    this.#begin = begin;
  }

  /** What one app may have at most. */
  get appShare(): number {
    return Math.ceil(this.#limits.maxUnderWay * APP_SHARE);
  }

  /** The queue of each place that is taken. */
  get places(): readonly Queue[] {
    return [...this.#queues.values()].flatMap((queue) => Array<Queue>(this.#placesOf(queue)).fill(queue.id));
  }

  /**
   * What may be prefetched now. Nothing while half of all places are taken, or half of an app's share: a place is handed
   * on within its queue, which must not keep others from getting one. And nothing for a queue that has places left: a
   * prefetched event only ever follows in a place that its queue has, so no limit is passed.
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
      // More than a whole pause is left where the clock was put back.
      if (leftMs <= 0 || leftMs > PAUSE_MS) this.#pausedUntilMs.delete(appId);
    }
    return [...this.#pausedUntilMs.keys()];
  }

  /** Begins what was claimed, or lets it wait for its turn. */
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

  /** Nothing was sent of this claim and nothing will be: its lease is to be released. */
  notSent(delivery: ClaimedDelivery): void {
    this.#overdue.push(delivery);
  }

  /** Sends nothing more of an app for a moment; the leases of what waits of it are to be released. */
  pause(appId: string): void {
    this.#pausedUntilMs.set(appId, this.#world.nowMs() + PAUSE_MS);
    for (const queue of this.#queues.values()) {
      if (queue.id.appId !== appId) continue;
      for (const { delivery } of queue.waiting.splice(0)) this.#giveUp(queue, delivery);
      this.#forgetEmpty(queue);
    }
  }

  /** Takes out what has waited too long or was not sent, or everything that waits, so that its leases are released. */
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
   * Called before a claim: what ends while the claim runs cuts the next rest short. A queue that becomes empty while the
   * claim runs is remembered until the next one, or a slow claim would begin anew with a receiver that is quick.
   */
  prepareClaim(): void {
    if (this.#rest.signal.aborted) this.#rest = new AbortController();
    for (const queue of this.#queues.values()) this.#forgetEmpty(queue);
  }

  /** Rests for the time, or until there is room for more; not at all for no time. */
  async rest(ms: number): Promise<void> {
    if (ms > 0) await this.#world.sleep(ms, this.#rest.signal);
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** Begins nothing more, not even what a claim under way brings: its lease is released. */
  stop(): void {
    this.#stopped = true;
    this.wake();
  }

  wake(): void {
    // Without a reason each call would make an error for it, also when there is nothing left to cut short.
    if (!this.#rest.signal.aborted) this.#rest.abort('woken');
  }

  /** Resolves when nothing is under way. */
  async allDone(): Promise<void> {
    while (this.#attempts.size > 0) await Promise.all(this.#attempts);
  }

  /** For what runs beside the loop; `throwBug` throws it there. */
  keepBug(bug: unknown): void {
    this.#bugs.push(bug);
    this.wake();
  }

  throwBug(): void {
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }

  /** While the ends of a quick queue are being recorded, its places are taken again. */
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
      // Its places count as taken until the end is recorded: a claim can only prefetch for it now.
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

  /** A queue that let something wait too long is not quick, or it would be claimed again at once. */
  #giveUp(queue: ClaimedQueue, delivery: ClaimedDelivery): void {
    queue.prefetch = 0;
    this.#overdue.push(delivery);
  }

  /** A queue with enough to do until the next claim can wait for it, so that claims come in batches. */
  #wakeIfLow(queue: ClaimedQueue): void {
    if (queue.waiting.length * 2 <= queue.prefetch || this.#bugs.length > 0) this.wake();
  }

  #isOverdue({ claimedAtMs }: Waiting): boolean {
    const waitedMs = this.#world.nowMs() - claimedAtMs;
    // Where the clock was put back the time it took is unknown.
    return waitedMs < 0 || waitedMs > MAX_WAIT_MS;
  }
}

/** How long an attempt took if it shows a receiver that can be given more at once, else null. */
export function quickMs(outcome: string, durationMs: number): number | null {
  return outcome === 'delivered' && durationMs <= QUICK_MS ? durationMs : null;
}
