// The head that a quorum has reached, whatever one of the providers says.
import { describe, expect, it } from 'vitest';
import {
  circuits,
  grow,
  pass,
  providerStage,
  quickChain,
  quorumStage,
} from '@ducat/testkit/chains/quorum-stage';
import { createQuorumReader } from './quorum-reader.ts';

describe('the head', () => {
  it.each<readonly [string, readonly number[], number | null, number]>([
    ['of one provider is its own', [10], null, 10],
    ['of two is the lower one', [10, 12], null, 10],
    ['of three is the second', [10, 12, 11], null, 11],
    ['is not raised by one of three', [10, 1_000_000, 11], null, 11],
    ['is not lowered by one of three', [1, 12, 11], null, 11],
    ['is the highest where one is enough', [10, 12, 11], 1, 12],
    ['is the lowest where three are needed', [10, 12, 11], 3, 10],
  ])('%s', async (_what, heads, quorum, head) => {
    const { chain, clock } = quorumStage();
    const readers = heads.map((one, place) => {
      const provider = chain.provider(`p${place}`);
      provider.lie({ head: () => one });
      return provider;
    });
    const reader = createQuorumReader({ definition: quickChain, readers, quorum, world: clock });
    expect(await reader.head()).toBe(head);
  });

  it('shows who lags', async () => {
    const one = providerStage(3);
    grow(one.chain, 20);
    one.b.setLag(17);
    expect(await one.reader.head()).toBe(30);
    expect(one.reader.providers()[1]).toEqual({
      provider: 'b',
      circuit: 'half-open',
      reason: 'its head 13 is 17 blocks below that of others',
      disagreements: 0,
      head: 13,
    });
  });

  it('goes on where one of two is away', async () => {
    const one = providerStage(2);
    one.b.failNext(100);
    expect(await one.reader.head()).toBe(10);
    await one.reader.head();
    await one.reader.head();
    expect(circuits(one)).toBe('closed open');
    await one.reader.head();
    expect(one.b.calls()).toBe(3);
  });

  it('goes on where one of three stands still', async () => {
    const one = providerStage(3);
    await one.reader.head();
    for (let lag = 1; lag <= 17; lag++) {
      grow(one.chain, 1);
      one.a.setLag(lag);
      await pass(one, 1_000);
      expect(await one.reader.head()).toBe(10 + lag);
    }
    expect(one.reader.providers()[0]?.reason).toBe('its head 10 is 17 blocks below that of others');
  });

  it('does not wait for one that is late again and again', async () => {
    const one = providerStage(3);
    const { clock, reader } = one;
    one.a.setLatency(3_000);
    const startMs = clock.nowMs();
    await clock.run(reader.head());
    expect(clock.nowMs() - startMs).toBe(1_000);
    await clock.run(reader.head());
    expect(clock.nowMs() - startMs).toBe(1_000);
    await pass(one, 3_000);
    expect(reader.providers()[0]).toMatchObject({ circuit: 'half-open', head: 10 });
  });
});
