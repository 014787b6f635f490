// Releases the leases of claims that were not sent, beside the loop: a locked row delays nothing else.
import type { ClaimedDelivery } from '../../db/tables/deliveries/claims.ts';
import { releaseDeliveries } from '../../flows/deliveries/release-deliveries.ts';
import { Outage } from '../../runtime/outage.ts';
import type { ClaimedQueues } from './claimed-queues.ts';
import type { NotifierParts } from './parts.ts';

/** How long an event that another transaction has locked is left alone. */
const PAUSE_MS = 250;

type Parts = Pick<NotifierParts, 'transact' | 'observer' | 'world' | 'limits'>;

export class LeaseReleaser {
  readonly #parts: Parts;
  readonly #claimed: ClaimedQueues;
  #underWay: Promise<void> | null = null;
  /** Deliveries whose event another transaction had locked, with the end of each lease; bounded by what may be claimed. */
  readonly #locked = new Map<ClaimedDelivery, number>();
  #tryAgainAtMs = 0;

  constructor(parts: Parts, claimed: ClaimedQueues) {
    this.#parts = parts;
    this.#claimed = claimed;
  }

  /** Begins to release overdue leases, unless a release is under way. */
  start(): void {
    this.#underWay ??= this.#release(false).finally(() => {
      this.#underWay = null;
    });
  }

  /** Releases everything that waits. */
  async finish(): Promise<void> {
    await this.#underWay;
    await this.#release(true);
  }

  /**
   * A release is tried again only where another transaction had locked the row. After any other failure, or without a
   * response, the event is due again when its lease has ended. A bug is kept for the loop.
   */
  async #release(everything: boolean): Promise<void> {
    const { transact, observer, world, limits } = this.#parts;
    const nowMs = world.nowMs();
    const leases = new Map(everything || nowMs >= this.#tryAgainAtMs ? this.#locked : []);
    for (const delivery of leases.keys()) this.#locked.delete(delivery);
    for (const delivery of this.#claimed.takeOverdue(everything))
      leases.set(delivery, nowMs + limits.leaseMs);
    const deliveries = [...leases.keys()].filter((delivery) => (leases.get(delivery) ?? 0) > nowMs);
    if (deliveries.length === 0) return;
    try {
      const { locked } = await transact((tx) => releaseDeliveries(tx, deliveries), 'one-statement');
      for (const delivery of deliveries) {
        if (locked.includes(delivery.eventId)) this.#locked.set(delivery, leases.get(delivery) ?? 0);
      }
      this.#tryAgainAtMs = nowMs + PAUSE_MS;
    } catch (error) {
      if (error instanceof Outage) observer.onTrouble('release', error);
      else this.#claimed.keepBug(error);
    }
  }
}
