// Events that cause an error while they are claimed or recorded: each is quarantined alone, unless all fail alike.
import { MOST_BROKEN_IN_A_ROW } from '../../db/tables/outgoing/quarantines.ts';
import { type BrokenEvent, quarantineEvent } from '../../flows/deliveries/quarantine-event.ts';
import { Outage } from '../../runtime/outage.ts';
import type { NotifierParts } from './parts.ts';

/** How many characters of an error are stored. */
const LONGEST_REASON = 300;

export class BrokenEvents {
  readonly #parts: Pick<NotifierParts, 'transact' | 'world' | 'observer'>;
  #inARow = 0;

  constructor(parts: Pick<NotifierParts, 'transact' | 'world' | 'observer'>) {
    this.#parts = parts;
  }

  onSuccess(): void {
    this.#inARow = 0;
  }

  /** Throws the bug itself where no single event seems to explain it. */
  async quarantine(broken: BrokenEvent, bug: unknown): Promise<void> {
    const { transact, world, observer } = this.#parts;
    const reason = String(bug).slice(0, LONGEST_REASON);
    const write = { broken, reason, nowMs: world.nowMs() };
    let eventId: string | null;
    try {
      eventId = await transact((tx) => quarantineEvent(tx, write));
    } catch (error) {
      if (!(error instanceof Outage)) throw bug;
      // The event is due again when its lease has ended, and fails again.
      observer.onTrouble('record', error);
      return;
    }
    // Another process has claimed the event, or has sent it.
    if (eventId === null) return;
    observer.onBroken(eventId, bug);
    this.#inARow += 1;
    // mark: a-shared-bug-stops-the-notifier
    if (this.#inARow >= MOST_BROKEN_IN_A_ROW) throw bug;
  }
}
