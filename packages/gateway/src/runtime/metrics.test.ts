// What the exposition says of clocks and endpoints: an age is never negative, and no reason is made into a label.
import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const cursor = {
  chain: 'ETH',
  startNumber: 1,
  head: { number: 10, hash: '0xhead' },
  headTime: 1_000,
  finalNumber: 8,
  finalTime: 980,
  searchedNumber: 8,
  searchedTime: 980,
  haltedReason: null,
};

async function clocks(now: number): Promise<readonly (string | undefined)[]> {
  const metrics = createMetrics();
  metrics.watcher.onHead('ETH', 12);
  metrics.watcher.onCursor('ETH', cursor);
  const text = await metrics.expose(null, now);
  return ['ducat_chain_lag_blocks', 'ducat_chain_lag_seconds', 'ducat_clock_skew_seconds'].map(
    (name) => new RegExp(`^${name}\\{chain="ETH"\\} (.+)$`, 'm').exec(text)?.[1],
  );
}

describe('the age of the newest block in the books', () => {
  it('grows with our clock, while the clock is not behind the chain', async () => {
    expect(await clocks(1_000)).toEqual(['2', '0', '0']);
    expect(await clocks(1_030)).toEqual(['2', '30', '0']);
  });

  it('is 0 under a clock that is behind, and the skew says by how much', async () => {
    expect(await clocks(955)).toEqual(['2', '0', '45']);
  });
});

it('the gaps of a chain are counted as they are at the scrape', async () => {
  const { watchGaps, expose } = createMetrics();
  let gaps: readonly string[] = ['one that is known from the start'];
  watchGaps([{ definition: { name: 'ETH' }, gaps: () => gaps }]);
  expect(await expose(null, 0)).toContain('ducat_chain_gaps{chain="ETH"} 1');
  gaps = [...gaps, 'a new one'];
  expect(await expose(null, 0)).toContain('ducat_chain_gaps{chain="ETH"} 2');
});

describe('what becomes of endpoints', () => {
  it('is told by endpoint, and outages by their kind', async () => {
    const { watcher, expose } = createMetrics();
    watcher.onOutage('Tron', 'repeated-transfer');
    watcher.onOutage('Tron', 'repeated-transfer');
    watcher.onOutage('Tron', 'throttled');
    watcher.onEndpoints('Tron', [
      { endpoint: 'a.test', healthy: true, lastError: null },
      { endpoint: 'b.test', healthy: false, lastError: 'a secret reason that is for the log' },
    ]);
    const text = await expose(null, 0);
    expect(text).toContain('ducat_chain_outages_total{chain="Tron",kind="repeated-transfer"} 2');
    expect(text).toContain('ducat_chain_outages_total{chain="Tron",kind="throttled"} 1');
    expect(text).toContain('ducat_endpoint_healthy{chain="Tron",endpoint="a.test"} 1');
    expect(text).toContain('ducat_endpoint_healthy{chain="Tron",endpoint="b.test"} 0');
    expect(text).not.toContain('secret');
  });
});
