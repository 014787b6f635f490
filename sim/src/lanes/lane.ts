// A process that runs one job after the other on a database of its own; started and told what to do by `lanes.ts`.
import { runJob } from './job.ts';
import type { LaneOrder } from './orders.ts';
import { openSimDatabase, type SimDatabase } from '../database/sim-database.ts';

let place: SimDatabase | null = null;

async function obey(order: LaneOrder): Promise<unknown> {
  if (order.kind === 'open') {
    place = await openSimDatabase(order.adminUrl);
    await place.change(order.change);
    return null;
  }
  if (order.kind === 'run') {
    if (place === null) throw new Error('a lane was told to run before it was opened');
    return runJob(place, order.job);
  }
  await place?.drop();
  return null;
}

process.on('message', (order: LaneOrder) => {
  obey(order).then(
    (value) => {
      // The answer has to be out before the way it goes is shut.
      process.send?.({ ok: true, value }, () => {
        if (order.kind === 'close') process.disconnect();
      });
    },
    (error: unknown) =>
      process.send?.({ ok: false, error: error instanceof Error ? error.stack : String(error) }),
  );
});
// Whoever started it is gone, and its database goes with the cluster.
process.on('disconnect', () => process.exit());
