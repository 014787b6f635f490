// A fork that adds header fields: from then on a block is what two endpoints show alike, and one alone decides nothing.
import { unitsOf } from '@ducat/core/money/amount';
import { waitUntil } from '@ducat/devnet/process/wait-until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LyingProxy, startLyingProxy, type Tamper } from '@ducat/testkit/chains/evm/lying-proxy';
import {
  type LyingStage,
  put,
  recipient,
  startLyingStage,
  unstatedGenesis,
} from '@ducat/testkit/chains/evm/lying-stage';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import type { ChainPort } from '../port.ts';
import { transactionsRoot } from './block-roots.ts';
import { blockAnswer, isRecord, quantityAnswer, toQuantity } from './raw-block.ts';

let stage: LyingStage;
let third: LyingProxy;
let forgeries: Readonly<Record<'invents' | 'hides', Tamper>>;
beforeAll(async () => {
  stage = await startLyingStage();
  third = await startLyingProxy(stage.payer.chain.rpcUrl);
  forgeries = { invents: await forgery({ value: '0xffff' }), hides: await forgery({ to: stranger }) };
});
afterAll(async () => {
  await third.stop();
  await stage.stop();
});
beforeEach(() => {
  for (const proxy of all()) proxy.lie();
});

const stranger = `0x${'c1'.repeat(20)}`;
const all = (): readonly LyingProxy[] => [stage.liar, stage.honest, third];
const urlsOf = (...proxies: readonly LyingProxy[]): readonly string[] => proxies.map(({ url }) => url);
/** Without traces, which have two voices of their own. */
const chainOf = (...proxies: readonly LyingProxy[]): ChainPort =>
  stage.chainOf(urlsOf(...proxies), manualWorld(), { traceMethod: 'none', nodeFinality: 'none' });
const healthOf = (chain: ChainPort): readonly boolean[] => chain.health().map(({ healthy }) => healthy);
const read = (chain: ChainPort, number = stage.block) => chain.readBlock(number, stage.currencies);

/** A change of the headers that the endpoint shows. */
const headersBy =
  (change: (header: Readonly<Record<string, unknown>>) => unknown): Tamper =>
  (method, result) =>
    /^eth_getBlockBy(?:Number|Hash)$/.test(method) && isRecord(result) ? change(result) : result;

/** Headers above that number as they look to us after a fork: a field more, and a hash that covers it. */
const forkedAbove = (number: number, field = 'futureField'): Tamper =>
  headersBy((header) =>
    quantityAnswer(header['number']) <= number
      ? header
      : put(field, '0x1')(put('extraData', '0xabcd')(header)),
  );

const both =
  (first: Tamper, second: Tamper): Tamper =>
  async (method, result, params) =>
    second(method, await first(method, result, params), params);

const down = { body: () => ({ status: 500, body: '' }) };

/** The paying block under its true hash with another payment in it, and all that belongs to it. */
async function forgery(change: object): Promise<Tamper> {
  const params = [toQuantity(stage.block), true];
  const told = blockAnswer(await stage.payer.chain.rpc('eth_getBlockByNumber', params));
  const changed = (told?.transactions ?? []).map((one, place) => (place === 2 ? { ...one, ...change } : one));
  const { root, ids } = transactionsRoot(changed);
  const transactions = changed.map((one, place) => ({ ...one, hash: ids[place] }));
  return (method, result) => {
    if (method === 'eth_getBlockReceipts') return put('2.transactionHash', ids[2])(result);
    return headersBy((header) => {
      if (header['hash'] !== told?.hash) return header;
      const full = Array.isArray(header['transactions']) && header['transactions'].some(isRecord);
      return { ...header, transactionsRoot: root, ...(full ? { transactions } : {}) };
    })(method, result, []);
  };
}

const gap = expect.stringContaining('hashes are not recomputed');
const nothing = expect.stringContaining('moves inside a transaction');

describe('a fork that adds a header field', () => {
  it('is followed where two endpoints show the same, with a gap, and old headers are still proven', async () => {
    const { block } = stage;
    const chain = chainOf(stage.liar, stage.honest);
    await chain.headers(0, block);
    expect(chain.gaps()).toEqual([nothing, unstatedGenesis]);
    stage.liar.lie({ result: forkedAbove(block) });
    // What else a node shows beside the header is its own business.
    stage.honest.lie({ result: both(forkedAbove(block), forkedAbove(block, 'anotherField')) });
    expect(await chain.headers(block + 1, block + 3)).toHaveLength(3);
    expect(chain.gaps()).toEqual([nothing, unstatedGenesis, gap]);
    expect(await chain.headers(block - 1, block + 3)).toHaveLength(5);
    expect(chain.gaps()).toEqual([nothing, unstatedGenesis, gap]);
    // After a restart an old header comes first, and proves nothing about the new ones.
    const restarted = chainOf(stage.liar, stage.honest);
    await restarted.headers(1, block - 1);
    expect(await restarted.headers(block, block + 3)).toHaveLength(4);
    expect(restarted.gaps()).toEqual([nothing, unstatedGenesis, gap]);
  });

  const places = [0, 1, 2];
  const cases = places.flatMap((place) => [
    [place, 'invents'] as const,
    [place, 'hides'] as const,
    [place, 'is down'] as const,
    [place, 'shows no such block'] as const,
  ]);
  it.each(cases)('is survived where endpoint %i of three %s', async (place, what) => {
    const truth = await read(chainOf(stage.honest));
    expect(truth?.transfers.map(({ to, amount }) => [to, unitsOf(amount)])).toContainEqual([recipient, 7n]);
    const forked = forkedAbove(stage.block - 1);
    stage.honest.lie({ result: forked });
    third.lie({ result: forked });
    if (what === 'is down') stage.liar.lie(down);
    else if (what === 'shows no such block') stage.liar.lie({ result: headersBy(() => null) });
    else stage.liar.lie({ result: both(forked, forgeries[what]) });
    const proxies = [stage.honest, third].toSpliced(place, 0, stage.liar);
    const chain = chainOf(...proxies);
    expect(await read(chain)).toEqual(truth);
    for (let number = stage.block + 1; number <= stage.block + 6; number++) {
      expect(await read(chain, number)).not.toBeNull();
    }
    expect(await chain.finalBlock(stage.block)).toEqual({ number: stage.block, hash: truth?.header.hash });
    expect(chain.gaps()).toContainEqual(gap);
    // Nobody else rests for it.
    expect(healthOf(chain).filter((_, index) => index !== place)).toEqual([true, true]);
  });

  it.each([0, 1])(
    'makes whoever shows another header than two others rest, as endpoint %i',
    async (place) => {
      const forked = forkedAbove(stage.block - 1);
      stage.honest.lie({ result: forked });
      third.lie({ result: forked });
      stage.liar.lie({ result: both(forked, forgeries.invents) });
      const chain = chainOf(...[stage.honest, third].toSpliced(place, 0, stage.liar));
      await read(chain);
      // Where it only confirms, the block may be settled before it is heard.
      await waitUntil('the liar to rest', () => healthOf(chain)[place] === false);
      expect(chain.health()[place]?.lastError).toMatch(/another header of block/);
      expect(healthOf(chain)).toEqual([0, 1, 2].map((one) => one !== place));
    },
  );

  it('is not held up by one of three that never answers', async () => {
    const forked = forkedAbove(stage.block - 1);
    stage.honest.lie({ result: forked });
    third.lie({ result: forked });
    const silent: Tamper = (method, result) =>
      method === 'eth_getBlockByHash' ? new Promise(() => undefined) : result;
    stage.liar.lie({ result: both(forked, silent) });
    const startedMs = performance.now();
    const chain = chainOf(stage.honest, stage.liar, third);
    expect(await read(chain)).not.toBeNull();
    expect(stage.liar.asked).toContain('eth_getBlockByHash');
    // Far below the limit of a question, which is twenty seconds.
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });

  it('waits for nobody longer than five seconds, and takes what is told later the next time', async () => {
    const forked = forkedAbove(stage.block - 1);
    stage.honest.lie({ result: forked });
    const world = manualWorld();
    const waiting: (() => void)[] = [];
    const late: Tamper = (method, result) =>
      method === 'eth_getBlockByHash'
        ? new Promise((resolve) => void waiting.push(() => resolve(result)))
        : result;
    stage.liar.lie({ result: both(forked, late) });
    const urls = urlsOf(stage.honest, stage.liar);
    const chain = stage.chainOf(urls, world, { traceMethod: 'none' });
    const failure = chain.headers(stage.block, stage.block).catch((error: unknown) => error);
    await waitUntil('the second one to be asked', () => waiting.length > 0);
    stage.liar.lie(down);
    world.advance(5_000);
    await expect(failure).resolves.toMatchObject({
      message: expect.stringMatching(/nothing confirms the header .* within 5 seconds/),
    });
    for (const answer of waiting) answer();
    await waitUntil('the late answer to count', async () =>
      chain.headers(stage.block, stage.block).then(
        () => true,
        () => false,
      ),
    );
    expect(chain.gaps()).toContainEqual(gap);
  });

  it('lets nothing count where two endpoints differ and no third one is there', async () => {
    const forked = forkedAbove(stage.block - 1);
    stage.liar.lie({ result: both(forked, forgeries.invents) });
    stage.honest.lie({ result: forked });
    for (const proxies of [
      [stage.liar, stage.honest],
      [stage.honest, stage.liar],
    ]) {
      const chain = chainOf(...proxies);
      await expect(read(chain)).rejects.toMatchObject({ kind: 'disagreement' });
      await expect(chain.headers(stage.block, stage.block)).rejects.toThrow(/disagree on the header/);
      expect(chain.gaps()).not.toContainEqual(gap);
    }
  });

  it('waits for a second endpoint that is away or behind, and nobody rests for that', async () => {
    const { block } = stage;
    const forked = forkedAbove(block - 1);
    stage.liar.lie({ result: forked });
    stage.honest.lie(down);
    const chain = chainOf(stage.liar, stage.honest);
    await expect(read(chain)).rejects.toThrow(/nothing confirms the header of block/);
    for (let time = 0; time < 3; time++) await expect(read(chain)).rejects.toThrow(/nothing confirms/);
    expect(healthOf(chain)).toEqual([true, false]);
    const behind: Tamper = (method, result) => {
      if (method === 'eth_blockNumber') return toQuantity(block - 1);
      return headersBy((header) => (quantityAnswer(header['number']) < block ? header : null))(
        method,
        result,
        [],
      );
    };
    stage.honest.lie({ result: behind });
    const world = manualWorld();
    const waiting = stage.chainOf(urlsOf(stage.liar, stage.honest), world, { traceMethod: 'none' });
    expect(await read(waiting)).toBeNull();
    world.advance(60_000);
    await expect(read(waiting)).rejects.toThrow(/stands still, so nothing confirms the header of block/);
    expect(healthOf(waiting)).toEqual([true, true]);
  });
});

describe('one endpoint alone', () => {
  it('cannot make a chain believed to have such a fork, nor make others rest', async () => {
    const { block } = stage;
    const made: readonly Tamper[] = [
      forkedAbove(-1),
      both(forkedAbove(-1), forgeries.invents),
      both(forkedAbove(-1), headersBy(put('hash', `0x${'9'.repeat(64)}`))),
      headersBy(put('stateRoot', null)),
    ];
    const truth = await read(chainOf(stage.honest));
    for (const lie of made) {
      stage.liar.lie({ result: lie });
      const chain = chainOf(stage.liar, stage.honest, third);
      for (let time = 0; time < 4; time++) expect(await read(chain)).toEqual(truth);
      expect(await chain.headers(block, block + 2)).toHaveLength(3);
      expect(chain.gaps()).not.toContainEqual(gap);
      expect(healthOf(chain)).toEqual([false, true, true]);
    }
  });

  it('cannot end the gap by a header that proves itself', async () => {
    const { block } = stage;
    const forked = forkedAbove(block);
    for (const proxy of [stage.honest, third]) proxy.lie({ result: forked });
    const chain = chainOf(stage.liar, stage.honest, third);
    await chain.headers(block - 1, block);
    stage.liar.lie({ result: forked });
    await chain.headers(block + 1, block + 2);
    expect(chain.gaps()).toContainEqual(gap);
    stage.liar.lie();
    await chain.headers(block + 3, block + 4);
    expect(chain.gaps()).toContainEqual(gap);
    stage.liar.lie(down);
    stage.honest.lie();
    await chain.headers(block + 5, block + 5);
    expect(chain.gaps()).not.toContainEqual(gap);
  });

  it('is taken at its word where it is the only one, and that is said', async () => {
    const { block } = stage;
    const chain = chainOf(stage.liar);
    stage.liar.lie({ result: forkedAbove(block) });
    await chain.headers(block + 1, block + 2);
    expect(chain.gaps()).toContainEqual(expect.stringMatching(/not recomputed.*word of one endpoint alone/));
    stage.liar.lie();
    await chain.headers(block + 2, block + 3);
    expect(chain.gaps()).not.toContainEqual(gap);
    stage.liar.lie({ result: forkedAbove(block - 1) });
    await expect(chain.headers(block, block)).rejects.toThrow(/its hash does not cover/);
  });
});
