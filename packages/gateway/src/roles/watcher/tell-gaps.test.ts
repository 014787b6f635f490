// A gap that comes up while a chain is watched is an error in the log, once for each time that it comes up.
import { eth } from '@ducat/core/chain/definitions/eth';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { expect, inject, it } from 'vitest';
import { createFakeChain } from '../../chains/fake/fake-chain.ts';
import { openTestDatabase } from '@ducat/testkit/database';
import { plainEncode, START_TIME } from '@ducat/testkit/fixtures';
import { realWorld } from '../../runtime/world.ts';
import { createGapTeller } from './tell-gaps.ts';
import { silentObserver } from '@ducat/testkit/watcher/silent-observer';
import { runWatcher } from './watcher.ts';

interface Logged {
  readonly fields: object;
  readonly message: string;
}

it('is told when it comes up, when it comes up again, and when it is over, but not what was there at the start', () => {
  let gaps: readonly string[] = ['known before'];
  const logged: unknown[] = [];
  const tell = createGapTeller({
    chain: { definition: { name: 'ETH' }, gaps: () => gaps },
    log: {
      info: (fields, message) => logged.push(['info', message, fields]),
      error: (fields, message) => logged.push(['error', message, fields]),
    },
  });
  for (const now of [
    ['known before'],
    ['known before', 'new'],
    ['known before', 'new'],
    ['new'],
    [],
    ['new'],
  ]) {
    gaps = now;
    tell();
  }
  const about = (gap: string) => ({ chain: 'ETH', gap });
  expect(logged).toEqual([
    ['error', 'new gap', about('new')],
    ['info', 'gap is over', about('known before')],
    ['info', 'gap is over', about('new')],
    ['error', 'new gap', about('new')],
  ]);
});

it('is told by whoever watches the chain, while it is watched', async () => {
  const database = await openTestDatabase(inject('postgresAdminUrl'));
  const { port } = createFakeChain({
    definition: { ...eth, blockTimeMs: 200 },
    seed: 7,
    startTime: START_TIME,
  });
  const gaps: string[] = [];
  let read = 0;
  const errors: Logged[] = [];
  const nothing = () => undefined;
  const stopping = new AbortController();
  const running = runWatcher(
    {
      chain: { ...port, gaps: () => [...gaps], head: () => (read++, port.head()) },
      startBlock: 0,
      transact: database.transact,
      reader: database.reader,
      world: realWorld,
      encode: plainEncode,
      newEventId: () => 'evt',
      holder: 'test',
      log: {
        debug: nothing,
        info: nothing,
        warn: nothing,
        error: (fields, message) => void errors.push({ fields, message }),
      },
      observer: silentObserver,
    },
    stopping.signal,
  );
  try {
    await waitUntil('the chain to be read', () => read > 0);
    expect(errors).toEqual([]);
    gaps.push('Something is not seen.');
    await waitUntil('the gap to be told', () => errors.length > 0);
    expect(errors).toEqual([{ fields: { chain: 'ETH', gap: 'Something is not seen.' }, message: 'new gap' }]);
  } finally {
    stopping.abort();
    await running;
    await database.drop();
  }
});
