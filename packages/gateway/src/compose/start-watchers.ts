// Starts a watcher for each chain, and the recording of its providers.
import { assert } from '@ducat/core/assert';
import type { ChainReader } from '../chains/port/reader.ts';
import { keepProviderDays } from '../roles/watcher/keep-provider-days.ts';
import { runWatcher } from '../roles/watcher/watcher.ts';
import { keepWorker } from '../runtime/keep-worker.ts';
import type { Parts } from './parts.ts';

export function startWatchers(parts: Parts, signal: AbortSignal): readonly Promise<void>[] {
  const { config, database, world, idle, encode, log, metrics } = parts;
  const kept = (worker: string, run: () => Promise<void>) =>
    keepWorker({ ...parts, onBug: metrics.onBug }, worker, signal, run);
  const watching = parts.chains.map((chain, place) =>
    kept(`watch-${chain.definition.name}`, () =>
      runWatcher(
        {
          chain,
          startBlock: config.chains[place]?.startBlock ?? null,
          transact: database.transact,
          reader: database.reader,
          world,
          idle,
          encode,
          encodeTransfer: parts.encodeTransfer,
          encodeQrPayment: parts.encodeQrPayment,
          newEventId: parts.newEventId,
          holder: parts.holder,
          log,
          observer: metrics.watcher,
        },
        signal,
        parts.leases,
      ),
    ),
  );
  return [
    ...watching,
    ...parts.chains.map((chain) =>
      kept(`providers-${chain.definition.name}`, () => keepDays(parts, chain, signal)),
    ),
  ];
}

function keepDays(parts: Parts, chain: ChainReader, signal: AbortSignal): Promise<void> {
  const { holder, world, log, database, tallies } = parts;
  const tally = tallies.get(chain.definition.name);
  assert(tally !== undefined, 'the requests of every chain are counted');
  const countsOf = (provider: string) => tally.of(provider);
  return keepProviderDays({ chain, countsOf, holder, world, log, transact: database.transact }, signal);
}
