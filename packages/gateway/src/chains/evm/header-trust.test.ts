// A fork that adds a header field: read on with a stated gap, but only where all show it and only from there on.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LyingStage, put, startLyingStage, unstatedGenesis } from '../testing/lying-stage.ts';
import type { Tamper } from '../testing/lying-proxy.ts';
import { quantityAnswer, isRecord } from './raw-block.ts';

let stage: LyingStage;
beforeAll(async () => {
  stage = await startLyingStage();
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.liar.lie();
  stage.honest.lie();
});

/** Headers above that number as they look to us after a fork: a field more, and a hash that covers it. */
const forkedAbove =
  (number: number, field = 'futureField'): Tamper =>
  (method, result) => {
    if (method !== 'eth_getBlockByNumber' || !isRecord(result)) return result;
    if (quantityAnswer(result['number']) <= number) return result;
    return put(field, '0x1')(put('extraData', '0xabcd')(result));
  };
const gap = expect.stringContaining('hashes are not recomputed');

describe('a fork that adds a header field', () => {
  it('is followed where every endpoint shows it, with a gap, and old headers are still proven', async () => {
    const { block } = stage;
    const chain = stage.chainOf([stage.liar.url, stage.honest.url]);
    await chain.headers(0, block);
    expect(chain.gaps()).toEqual([unstatedGenesis]);
    stage.liar.lie({ result: forkedAbove(block) });
    stage.honest.lie({ result: forkedAbove(block) });
    expect(await chain.headers(block + 1, block + 3)).toHaveLength(3);
    expect(chain.gaps()).toEqual([unstatedGenesis, gap]);
    expect(await chain.headers(block - 1, block + 3)).toHaveLength(5);
    expect(chain.gaps()).toEqual([unstatedGenesis, gap]);
    stage.liar.lie({ result: forkedAbove(block - 1) });
    stage.honest.lie({ result: forkedAbove(block - 1) });
    await expect(chain.headers(block, block)).rejects.toThrow(/its hash does not cover/);
    // After a restart an old header comes first, and proves nothing about the new ones.
    const restarted = stage.chainOf([stage.liar.url, stage.honest.url]);
    await restarted.headers(1, block - 1);
    expect(await restarted.headers(block, block + 3)).toHaveLength(4);
    expect(restarted.gaps()).toEqual([unstatedGenesis, gap]);
  });

  it('is not believed of one endpoint alone, nor where two show different fields', async () => {
    const { block } = stage;
    const chain = stage.chainOf([stage.liar.url, stage.honest.url]);
    stage.liar.lie({ result: forkedAbove(block) });
    expect(await chain.headers(block + 1, block + 2)).toHaveLength(2);
    expect(chain.health()[0]?.lastError).toMatch(/its hash does not cover/);
    stage.honest.lie({ result: forkedAbove(block, 'anotherField') });
    const other = stage.chainOf([stage.liar.url, stage.honest.url]);
    await expect(other.headers(block + 1, block + 2)).rejects.toThrow(/its hash does not cover/);
    expect(other.gaps()).toEqual([unstatedGenesis]);
  });

  it('is over once a header proves itself again', async () => {
    const { block } = stage;
    const chain = stage.chainOf([stage.liar.url]);
    stage.liar.lie({ result: forkedAbove(block) });
    await chain.headers(block + 1, block + 2);
    expect(chain.gaps()).toContainEqual(gap);
    stage.liar.lie();
    await chain.headers(block + 2, block + 3);
    expect(chain.gaps()).not.toContainEqual(gap);
  });
});
