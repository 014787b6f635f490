// Records how attempts ended: all ends that come while one statement runs are recorded together by the next.
import {
  type EndedDelivery,
  MAX_RECORDED,
  type NotRecorded,
  type RecordedDelivery,
  recordDeliveries,
} from '../../flows/deliveries/record-delivery.ts';
import { Outage } from '../../runtime/outage.ts';
import { mayBeOfOne } from '../../db/postgres/tx.ts';
import type { NotifierParts } from './parts.ts';

/** How often a record is tried during an outage of the database: for about as long as the lease lasts. */
const MAX_TRIES = 10;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;

/** How long an end waits for others to be recorded with it, where its place is not needed at once. */
const GATHER_MS = 10;
/** So many waiting ends are recorded without further waiting. */
const GATHERED = 64;

interface Unrecorded {
  readonly ended: EndedDelivery;
  tries: number;
  /** The record is not tried again before this time. */
  notBeforeMs: number;
  readonly resolve: (recorded: RecordedDelivery | null) => void;
  readonly reject: (bug: unknown) => void;
}

export class Recorder {
  readonly #parts: Pick<NotifierParts, 'transact' | 'world' | 'observer'>;
  readonly #abandoned: () => boolean;
  /** Bounded by what may be claimed: a queue takes nothing new beyond its room until its ends are recorded. */
  #waiting: Unrecorded[] = [];
  #running = false;
  #hurry = new AbortController();
  /** Set while all waiting ends are of locked events: then a new end does not wait with them. */
  #onlyLocked = false;

  /** Once `abandoned` returns true, nothing is recorded any more. */
  constructor(parts: Pick<NotifierParts, 'transact' | 'world' | 'observer'>, abandoned: () => boolean) {
    this.#parts = parts;
    this.#abandoned = abandoned;
  }

  /**
   * What became of the event; null if that could not be recorded: the event is due again when its lease has ended. With
   * `mayWait` the end waits a moment, to be recorded with others. Without it, all waiting ends are recorded at once.
   */
  record(ended: EndedDelivery, mayWait: boolean): Promise<RecordedDelivery | null> {
    const recorded = new Promise<RecordedDelivery | null>((resolve, reject) => {
      this.#waiting.push({ ended, tries: 0, notBeforeMs: 0, resolve, reject });
    });
    if (!mayWait || this.#onlyLocked || this.#waiting.length >= GATHERED) this.#hurryUp();
    if (!this.#running) void this.#run();
    return recorded;
  }

  async #run(): Promise<void> {
    this.#running = true;
    let backoffMs = FIRST_BACKOFF_MS;
    while (this.#waiting.length > 0 && !this.#abandoned()) {
      await this.#parts.world.sleep(this.#gatherMs(), this.#hurry.signal);
      this.#hurry = new AbortController();
      const batch = this.#takeBatch();
      // An end that the batch left out does not wait for others a second time.
      if (this.#waiting.some((one) => this.#isReady(one))) this.#hurryUp();
      if (batch.length === 0 || (await this.#recorded(batch))) {
        backoffMs = FIRST_BACKOFF_MS;
      } else {
        await this.#parts.world.sleep(backoffMs);
        backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
      }
    }
    for (const { resolve } of this.#waiting.splice(0)) resolve(null);
    this.#running = false;
  }

  #hurryUp(): void {
    this.#hurry.abort('no more to gather');
  }

  /** Milliseconds until the next end may be recorded; a moment at least, so that others are recorded with it. */
  #gatherMs(): number {
    const notBeforeMs = Math.min(...this.#waiting.map((one) => one.notBeforeMs));
    const waitMs = notBeforeMs - this.#parts.world.nowMs();
    this.#onlyLocked = waitMs > 0;
    return Math.max(GATHER_MS, waitMs);
  }

  #isReady({ notBeforeMs }: Unrecorded): boolean {
    return notBeforeMs <= this.#parts.world.nowMs();
  }

  /** The oldest ends, one of each event at most: a late end is recorded before the end of the next attempt. */
  #takeBatch(): readonly Unrecorded[] {
    const batch = new Map<string, Unrecorded>();
    const rest: Unrecorded[] = [];
    for (const one of this.#waiting) {
      if (this.#isReady(one) && batch.size < MAX_RECORDED && !batch.has(one.ended.eventId))
        batch.set(one.ended.eventId, one);
      else rest.push(one);
    }
    this.#waiting = rest;
    return [...batch.values()];
  }

  /** False after an outage: a record with tries left waits for the next turn. */
  async #recorded(batch: readonly Unrecorded[]): Promise<boolean> {
    const { transact, observer } = this.#parts;
    const ended = batch.map((one) => one.ended);
    try {
      const recorded = await transact((tx) => recordDeliveries(tx, ended), 'one-statement');
      for (const [place, one] of batch.entries()) this.#settle(one, recorded[place] ?? null);
      return true;
    } catch (error) {
      const outage = error instanceof Outage;
      if (outage) observer.onTrouble('record', error);
      if (this.#abandoned() || !mayBeOfOne(error)) return this.#tryAgain(batch);
      if (batch.length > 1) return this.#recordedInHalves(batch);
      for (const one of batch) if (outage) this.#later(one);
      for (const one of batch) if (!outage) one.reject(error);
      return true;
    }
  }

  /** Finds the record that makes the others fail, in as many steps as the batch can be halved. */
  async #recordedInHalves(batch: readonly Unrecorded[]): Promise<boolean> {
    const half = Math.ceil(batch.length / 2);
    const first = await this.#recorded(batch.slice(0, half));
    const second = await this.#recorded(batch.slice(half));
    return first && second;
  }

  #settle(one: Unrecorded, recorded: RecordedDelivery | NotRecorded | null): void {
    if (recorded === 'locked') this.#later(one);
    else one.resolve(recorded);
  }

  /** Another transaction has locked the event: its record waits, the others do not. */
  #later(one: Unrecorded): void {
    const pauseMs = Math.min(FIRST_BACKOFF_MS * 2 ** one.tries, MAX_BACKOFF_MS);
    one.tries += 1;
    one.notBeforeMs = this.#parts.world.nowMs() + pauseMs;
    if (one.tries >= MAX_TRIES) one.resolve(null);
    else this.#waiting.push(one);
  }

  #tryAgain(batch: readonly Unrecorded[]): false {
    for (const one of batch) one.tries += 1;
    for (const one of batch.filter(({ tries }) => tries >= MAX_TRIES)) one.resolve(null);
    this.#hurryUp();
    this.#waiting = [...batch.filter(({ tries }) => tries < MAX_TRIES), ...this.#waiting];
    return false;
  }
}
