// Events that break something while they are claimed or recorded: each goes into quarantine alone, unless all break alike.
import { MOST_BROKEN_IN_A_ROW } from '../../db/tables/outgoing/quarantines.ts';
import { type BrokenEvent, quarantineEvent } from '../../flows/deliveries/quarantine-event.ts';
import { Outage } from '../../runtime/outage.ts';
import type { NotifierParts } from './parts.ts';

/** Characters that are kept of what broke. */
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

  /** Throws the bug itself where it seems to be none of a single event. */
  async quarantine(broken: BrokenEvent, bug: unknown): Promise<void> {
    const { transact, world, observer } = this.#parts;
    const reason = String(bug).slice(0, LONGEST_REASON);
    const write = { broken, reason, nowMs: world.nowMs() };
    let eventId: string | null;
    try {
      eventId = await transact((tx) => quarantineEvent(tx, write));
    } catch (error) {
      if (!(error instanceof Outage)) throw bug;
      // It is due again when its lease has ended, and breaks again.
      observer.onTrouble('record', error);
      return;
    }
    // Another process has it, or has sent it.
    if (eventId === null) return;
    observer.onBroken(eventId, bug);
    this.#inARow += 1;
    // mark: a-shared-bug-stops-the-notifier
    if (this.#inARow >= MOST_BROKEN_IN_A_ROW) throw bug;
  }
}
