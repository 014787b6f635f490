// Work that waits for its turn in the lane of an endpoint, and not any longer once nobody wants it from there.
import { Outage } from '../../runtime/outage.ts';
import type { Lane } from './lane.ts';
import { Untimely } from './untimely.ts';
import type { WatchedEndpoint } from './watched-endpoint.ts';

/** What the work comes to when its turn has come. Throws Outage where the endpoint rests or is spare by then. */
export function inTurn<T>(endpoint: WatchedEndpoint, lane: Lane, work: () => Promise<T>): Promise<T> {
  const { available: wasAvailable, isSpare: wasSpare } = endpoint;
  return lane(() => {
    // What waited behind an answer that took all its time would wait just as long.
    if (wasAvailable && !endpoint.available) throw new Outage('rests', { retryable: true });
    if (!wasSpare && endpoint.isSpare) throw new Untimely('keeps others waiting, who do without it');
    return work();
  });
}
