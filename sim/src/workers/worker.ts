// A process that runs one job after the other on a database of its own; started and commanded by `workers.ts`.
import { runJob } from './job.ts';
import type { WorkerCommand } from './commands.ts';
import { openSimDatabase, type SimDatabase } from '../database/sim-database.ts';

let place: SimDatabase | null = null;

async function obey(command: WorkerCommand): Promise<unknown> {
  if (command.kind === 'open') {
    place = await openSimDatabase(command.adminUrl);
    await place.change(command.change);
    return null;
  }
  if (command.kind === 'run') {
    if (place === null) throw new Error('a worker got a job before it was opened');
    return runJob(place, command.job);
  }
  await place?.drop();
  return null;
}

process.on('message', (command: WorkerCommand) => {
  obey(command).then(
    (value) => {
      // The answer has to be sent before the channel is closed.
      process.send?.({ ok: true, value }, () => {
        if (command.kind === 'close') process.disconnect();
      });
    },
    (error: unknown) =>
      process.send?.({ ok: false, error: error instanceof Error ? error.stack : String(error) }),
  );
});
// The parent process is gone. The database of the worker is dropped with the cluster.
process.on('disconnect', () => process.exit());
