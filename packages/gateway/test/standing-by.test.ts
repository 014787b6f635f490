// What a process shows from its first moment, before it holds a lease: alarms on a role that nobody runs need the zero.
import { expect, it } from 'vitest';
import { runCollector } from '../src/roles/collector/collector.ts';
import type { CollectChain } from '../src/roles/collector/parts.ts';
import { runPayer } from '../src/roles/payer/payer.ts';
import type { PayChain } from '../src/roles/payer/parts.ts';
import type { WatchChain } from '../src/roles/watcher/parts.ts';
import { runWatcher } from '../src/roles/watcher/watcher.ts';
import { createMetrics } from '../src/runtime/metrics/metrics.ts';

const nothing = { depths: null, books: null, backups: null, outgoing: null, holdings: null };

it('every role under a lease shows that it does not hold it, as soon as it stands by', async () => {
  const { watcher, payer, collector, expose } = createMetrics();
  const named = { definition: { name: 'ETH' } };
  // Of a role that is stopped at once nothing else is used.
  const stopped = AbortSignal.abort();
  await runWatcher({ chain: named, observer: watcher } as unknown as WatchChain, stopped);
  await runPayer({ writer: named, observer: payer } as unknown as PayChain, stopped);
  await runCollector({ writer: named, observer: collector } as unknown as CollectChain, stopped);
  const text = await expose({ ...nothing, nowMs: 0, roundMs: 1 });
  for (const role of ['chain', 'payer', 'collector'])
    expect(text).toContain(`ducat_${role}_lease_held{chain="ETH"} 0\n`);
  expect(text).toContain('ducat_checks_lease_held 0\n');
});
