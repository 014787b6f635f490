// What the exposition says of clocks: an age is never negative, and a clock that is behind shows in a gauge of its own.
import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';

const cursor = {
  chain: 'ETH',
  startNumber: 1,
  head: { number: 10, hash: '0xhead' },
  headTime: 1_000,
  finalNumber: 8,
  finalTime: 980,
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
