// Joins the watcher to its neighbours: one for each chain.
import { runWatcher } from '../roles/watcher/watcher.ts';
import { keepWorker } from '../runtime/keep-worker.ts';
import type { Parts } from './parts.ts';

export function startWatchers(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const { config, database, world, encode, log, metrics } = parts;
  return parts.chains.map((chain, place) =>
    keepWorker({ ...parts, onBug: parts.metrics.onBug }, `watch-${chain.definition.name}`, signal, () =>
      runWatcher(
        {
          chain,
          startBlock: config.chains[place]?.startBlock ?? null,
          transact: database.transact,
          reader: database.reader,
          world,
          encode,
          encodeTransfer: parts.encodeTransfer,
          encodeQrPayment: parts.encodeQrPayment,
          newEventId: parts.newEventId,
          holder: parts.holder,
          log,
          observer: metrics.watcher,
        },
        signal,
        database.apart,
      ),
    ),
  );
}
