// What a quorum reports of a block that does not prove its contents.
import { describe, expect, it } from 'vitest';
import { circuits, providerStage, query } from '@ducat/testkit/chains/quorum-stage';
import type { SelectOurs } from '../port/reader.ts';

const all: SelectOurs = async (block) => block;

describe('the contents of a final block', () => {
  const unproven = { isProven: false };

  it('are read at as many providers as have to report the same, with the inclusions asked for', async () => {
    for (const count of [1, 2]) {
      const { reader, chain, a, b } = providerStage(count, unproven);
      expect(await reader.finalContents(4, query, all)).toMatchObject({ header: chain.header(4) });
      expect([a.calls(), b.calls()]).toEqual([1, count - 1]);
    }
    const { reader, chain } = providerStage(1, unproven);
    const txId = chain.blocks.at(4)?.transfers[0]?.txId ?? '';
    const { inclusions } = await reader.finalContents(4, { ...query, txIds: new Set([txId]) }, all);
    expect(inclusions).toMatchObject([{ txId, status: 'succeeded' }]);
  });

  it('are what two of three report, and a provider that reports anything else is doubted', async () => {
    const one = providerStage(3, unproven);
    const { reader, chain } = one;
    one.a.lie({ finalBlock: (block) => block && { ...block, transfers: [] } });
    expect((await reader.finalContents(4, query, all)).transfers).toEqual(chain.blocks.at(4)?.transfers);
    expect(circuits(one)).toBe('half-open closed closed');
  });

  it('are nobody else’s business: what does not concern us may differ', async () => {
    const { reader, a } = providerStage(2, unproven);
    a.lie({ finalBlock: (block) => block && { ...block, transfers: [] } });
    const none: SelectOurs = async (block) => ({ ...block, transfers: [] });
    expect(await reader.finalContents(4, query, none)).toMatchObject({ transfers: [] });
    await expect(reader.finalContents(4, query, all)).rejects.toMatchObject({ kind: 'disagreement' });
  });

  it('are not there before they are final at a quorum', async () => {
    const { reader, b } = providerStage(2, unproven);
    b.setLag(3);
    await expect(reader.finalContents(6, query, all)).rejects.toMatchObject({ kind: 'not-yet' });
  });

  it('do not blame a provider for a failure of ours', async () => {
    const one = providerStage(2, unproven);
    const failing: SelectOurs = async () => {
      throw new Error('the database is away');
    };
    await expect(one.reader.finalContents(4, query, failing)).rejects.toThrow('the database is away');
    expect(circuits(one)).toBe('closed closed');
  });
});
