// Gives claims back that were not sent, beside the loop: whoever holds one of their rows holds up nothing else.
import type { ClaimedDelivery } from '../../flows/deliveries/claim-deliveries.ts';
import { returnDeliveries } from '../../flows/deliveries/return-deliveries.ts';
import { Outage } from '../../runtime/outage.ts';
import type { ClaimedQueues } from './claimed-queues.ts';
import type { NotifierParts } from './parts.ts';

/** How long an event that somebody holds is let alone. */
const PAUSE_MS = 250;

type Parts = Pick<NotifierParts, 'transact' | 'observer' | 'world' | 'limits'>;

export class Returner {
  readonly #parts: Parts;
  readonly #claimed: ClaimedQueues;
  #underWay: Promise<void> | null = null;
  /** What somebody held, each with the end of its lease; bounded by what may be claimed. */
  readonly #locked = new Map<ClaimedDelivery, number>();
  #tryAgainAtMs = 0;

  constructor(parts: Parts, claimed: ClaimedQueues) {
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

  /**
   * Tried again only where somebody held the row: what else cannot be given back, or nobody knows of, comes back by its
   * lease. A bug is kept for the loop.
   */
  async #giveBack(everything: boolean): Promise<void> {
    const { transact, observer, world, limits } = this.#parts;
    const nowMs = world.nowMs();
    const leases = new Map(everything || nowMs >= this.#tryAgainAtMs ? this.#locked : []);
    for (const delivery of leases.keys()) this.#locked.delete(delivery);
    for (const delivery of this.#claimed.takeOverdue(everything))
      leases.set(delivery, nowMs + limits.leaseMs);
    const deliveries = [...leases.keys()].filter((delivery) => (leases.get(delivery) ?? 0) > nowMs);
    if (deliveries.length === 0) return;
    try {
      const { locked } = await transact((tx) => returnDeliveries(tx, deliveries), 'one-statement');
      for (const delivery of deliveries) {
        if (locked.includes(delivery.eventId)) this.#locked.set(delivery, leases.get(delivery) ?? 0);
      }
      this.#tryAgainAtMs = nowMs + PAUSE_MS;
    } catch (error) {
      if (error instanceof Outage) observer.onTrouble('return', error);
      else this.#claimed.keepBug(error);
    }
  }
}
