// Records how attempts ended: all that end while one statement runs go into the next together.
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

/** A record is tried this often while the database is out: about as long as the lease lasts. */
const MAX_TRIES = 10;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;

/** How long an end waits for others to be recorded with it, where nobody waits for its place. */
const GATHER_MS = 10;
/** So many are not kept waiting. */
const GATHERED = 64;

interface Unrecorded {
  readonly ended: EndedDelivery;
  tries: number;
  /** Not tried again before. */
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
  /** Set while there is nothing but ends whose events are locked: then nobody else waits with them. */
  #onlyLocked = false;

  /** From when `abandoned` says so, nothing is recorded any more. */
  constructor(parts: Pick<NotifierParts, 'transact' | 'world' | 'observer'>, abandoned: () => boolean) {
    this.#parts = parts;
    this.#abandoned = abandoned;
  }

  /**
   * What the event came to; null when that could not be recorded: the event is due again when its lease has ended. With
   * `mayWait` the end waits a moment for others to be recorded with; without it all that wait are recorded at once.
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
      // Nobody is kept waiting for company twice.
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

  /** Until the next may be recorded; a moment at least, for company. */
  #gatherMs(): number {
    const notBeforeMs = Math.min(...this.#waiting.map((one) => one.notBeforeMs));
    const waitMs = notBeforeMs - this.#parts.world.nowMs();
    this.#onlyLocked = waitMs > 0;
    return Math.max(GATHER_MS, waitMs);
  }

  #isReady({ notBeforeMs }: Unrecorded): boolean {
    return notBeforeMs <= this.#parts.world.nowMs();
  }

  /** The oldest first, of each event one at most: a late end and that of the next attempt go one after the other. */
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

  /** Finds the one that the others fail with, in as many steps as the batch can be halved. */
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

  /** Another transaction holds the event: it waits, the others do not. */
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
