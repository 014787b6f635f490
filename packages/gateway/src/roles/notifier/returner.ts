// Gives claims back that were not sent, beside the loop: whoever holds one of their rows holds up nothing else.
import { returnDeliveries } from '../../flows/return-deliveries.ts';
import { Outage } from '../../outage.ts';
import type { ClaimedQueues } from './claimed-queues.ts';
import type { NotifierParts } from './parts.ts';

export class Returner {
  readonly #parts: Pick<NotifierParts, 'transact' | 'observer'>;
  readonly #claimed: ClaimedQueues;
  #underWay: Promise<void> | null = null;

  constructor(parts: Pick<NotifierParts, 'transact' | 'observer'>, claimed: ClaimedQueues) {
    this.#parts = parts;
    this.#claimed = claimed;
  }

  /** Begins to give back what is overdue, unless that is under way. */
  start(): void {
    this.#underWay ??= this.#giveBack(false).finally(() => {
      this.#underWay = null;
    });
  }

  /** Gives back everything that waits. */
  async finish(): Promise<void> {
    await this.#underWay;
    await this.#giveBack(true);
  }

  /** Tried once: what cannot be given back, or nobody knows of, comes back by its lease. A bug is kept for the loop. */
  async #giveBack(everything: boolean): Promise<void> {
    const deliveries = this.#claimed.takeOverdue(everything);
    if (deliveries.length === 0) return;
    try {
      await this.#parts.transact((tx) => returnDeliveries(tx, deliveries), 'one-statement');
    } catch (error) {
      if (error instanceof Outage) this.#parts.observer.onTrouble('return', error);
      else this.#claimed.keepBug(error);
    }
  }
}
