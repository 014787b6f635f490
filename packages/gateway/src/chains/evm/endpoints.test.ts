// Endpoints that break, stand on another chain or contradict each other: passed over, refused or named.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Outage } from '../../runtime/outage.ts';
import { AnvilPayer } from '@ducat/testkit/chains/evm/anvil-payer';
import { type LyingStage, put, startLyingStage, tamper } from '@ducat/testkit/chains/evm/lying-stage';
import { startLyingProxy } from '@ducat/testkit/chains/evm/lying-proxy';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { createRpc } from './rpc.ts';

let stage: LyingStage;
beforeAll(async () => {
  stage = await startLyingStage();
});
afterAll(() => stage.stop());
beforeEach(() => {
  stage.liar.lie();
  stage.honest.lie();
});

const brokenBodies: readonly (readonly [
  string,
  (body: string) => { status?: number; body: string },
  RegExp,
])[] = [
  ['truncated JSON', (body) => ({ body: body.slice(0, -20) }), /truncated JSON/],
  [
    'the id of another request',
    (body) => ({ body: body.replace(/"id":\d+/, '"id":99999') }),
    /id of another request/,
  ],
  ['HTTP 429', () => ({ status: 429, body: '{}' }), /HTTP 429/],
  ['HTTP 500', () => ({ status: 500, body: '<html>' }), /HTTP 500/],
  [
    'neither result nor error',
    (body) => ({ body: body.replace('"result"', '"nothing"') }),
    /neither a result/,
  ],
  ['an empty body', () => ({ body: '' }), /truncated JSON/],
];

describe('a node that is broken', () => {
  it.each(brokenBodies)('with %s is passed over', async (_name, body, reason) => {
    stage.liar.lie({ body });
    await expect(stage.chainOf([stage.liar.url]).head()).rejects.toThrow(reason);
    await expect(stage.chainOf([stage.liar.url]).head()).rejects.toMatchObject({ retryable: true });
    expect(await stage.chainOf([stage.liar.url, stage.honest.url]).head()).toBe(stage.block + 6);
  });

  it('with a wrong id inside a batch is passed over', async () => {
    stage.liar.lie({
      body: (body, methods) => ({ body: methods.length > 1 ? body.replace(/"id":\d+/, '"id":99999') : body }),
    });
    await expect(stage.chainOf([stage.liar.url]).headers(0, 3)).rejects.toThrow(
      /a batch with the id of another/,
    );
    expect(await stage.chainOf([stage.liar.url, stage.honest.url]).headers(0, 3)).toHaveLength(4);
  });

  it('that floods is cut off at the limit', async () => {
    stage.liar.lie({ body: () => ({ body: ' '.repeat(100_000) }) });
    const options = { url: stage.liar.url, name: 'flood', fetch, observer: null, timeoutMs: 1_000 };
    const rpc = createRpc({ ...options, world: manualWorld(), maxBodyBytes: 50_000 });
    await expect(rpc.call('eth_chainId', [])).rejects.toThrow('more than 50000 bytes');
  });

  it('lacks block receipts but has them one by one, and is read in a batch', async () => {
    stage.liar.lie({
      body: (body, methods) =>
        methods[0] === 'eth_getBlockReceipts'
          ? {
              body: JSON.stringify({
                ...JSON.parse(body),
                result: undefined,
                error: { code: -32601, message: 'no such method' },
              }),
            }
          : { body },
    });
    const read = await stage.chainOf([stage.liar.url]).readBlock(stage.block, stage.currencies);
    expect(read?.transfers).toHaveLength(3);
  });
});

describe('a node on the wrong chain', () => {
  it('is left alone for a pause, with the reason, and looked at again', async () => {
    const world = manualWorld();
    stage.liar.lie({ result: (method, result) => (method === 'eth_chainId' ? '0x5' : result) });
    const chain = stage.chainOf([stage.liar.url], world);
    const reason = 'its chain id is 5, 31337 is wanted';
    await expect(chain.head()).rejects.toThrow(reason);
    await expect(chain.head()).rejects.toThrow(`rests: is on the wrong chain: ${reason}`);
    expect(chain.health()).toMatchObject([{ healthy: false, lastError: expect.stringContaining(reason) }]);
    expect(await stage.chainOf([stage.liar.url, stage.honest.url]).head()).toBe(stage.block + 6);
    stage.liar.lie();
    world.advance(60_000);
    expect(await chain.head()).toBe(stage.block + 6);
    expect(chain.health()).toMatchObject([{ healthy: true, lastError: null }]);
  });

  it('is found by its genesis block, and again after every failure', async () => {
    const [genesis] = await stage.chainOf([stage.honest.url]).headers(0, 0);
    const chain = stage.chainOf([stage.liar.url], undefined, { genesisHash: genesis?.hash });
    expect(await chain.head()).toBe(stage.block + 6);
    stage.liar.lie({ body: () => ({ status: 500, body: '' }) });
    await expect(chain.head()).rejects.toThrow(Outage);
    stage.liar.lie({
      result: tamper('eth_getBlockByNumber', put('hash', `0x${'4'.repeat(64)}`)),
    });
    await expect(chain.head()).rejects.toThrow(/its block 0 is 0x4444/);
  });
});

describe('nodes that disagree about the head', () => {
  it('go backwards, and the head is what they tell now', async () => {
    const chain = stage.chainOf([stage.liar.url]);
    await chain.head();
    stage.liar.lie({ result: (method, result) => (method === 'eth_blockNumber' ? '0x1' : result) });
    expect(await chain.head()).toBe(1);
  });

  it('tell an absurd head once, which costs one poll', async () => {
    const world = manualWorld();
    const chain = stage.chainOf([stage.liar.url, stage.honest.url], world);
    stage.liar.lie({ result: (method, result) => (method === 'eth_blockNumber' ? '0xffffffffff' : result) });
    const absurd = await chain.head();
    stage.liar.lie();
    expect(await chain.readBlock(absurd, stage.currencies)).toBeNull();
    const head = await chain.head();
    expect(head).toBe(stage.block + 6);
    world.advance(660_000);
    expect(await chain.head()).toBe(head);
    expect((await chain.readBlock(head, stage.currencies))?.header.number).toBe(head);
    expect(await chain.readBlock(head + 1, stage.currencies)).toBeNull();
  });

  it('stand still and are overtaken by the next endpoint', async () => {
    const world = manualWorld();
    const chain = stage.chainOf([stage.liar.url, stage.honest.url], world);
    stage.liar.lie({
      result: (method, result, params) => {
        if (method === 'eth_blockNumber') return '0x1';
        return method === 'eth_getBlockByNumber' && Array.isArray(params) && params[1] === true
          ? null
          : result;
      },
    });
    expect(await chain.head()).toBe(1);
    world.advance(15_000);
    const head = await chain.head();
    expect(head).toBeGreaterThan(stage.block);
    expect((await chain.readBlock(head, stage.currencies))?.header.number).toBe(head);
    // Being behind is no failure: it is asked first again.
    expect(chain.health().every(({ healthy }) => healthy)).toBe(true);
  });

  it('do not have a block that was there, as they are behind it now', async () => {
    const chain = stage.chainOf([stage.liar.url]);
    const head = await chain.head();
    const forgets =
      (told: string) =>
      (method: string, result: unknown): unknown =>
        method === 'eth_blockNumber' ? told : method === 'eth_getBlockByNumber' ? null : result;
    stage.liar.lie({ result: forgets('0x1') });
    expect(await chain.readBlock(head, stage.currencies)).toBeNull();
    stage.liar.lie({ result: forgets('0xff') });
    await expect(chain.readBlock(head, stage.currencies)).rejects.toThrow(/tells head 255 but has no block/);
  });
});

describe('nodes that disagree about finality', () => {
  it('about the hash of a final block stop it, and both are named', async () => {
    const chain = stage.chainOf([stage.liar.url, stage.honest.url], undefined, { nodeFinality: 'none' });
    expect(await chain.finalBlock(stage.block)).toMatchObject({ number: stage.block });
    await stage.payer.chain.mine();
    const [other] = await stage.chainOf([stage.honest.url]).headers(stage.block + 1, stage.block + 1);
    // A whole honest header of another fork is what a node on a fork would send.
    const fork = await AnvilPayer.start();
    await fork.chain.mine(stage.block);
    const forked = await fork.chain.rpc('eth_getBlockByNumber', [`0x${stage.block.toString(16)}`, false]);
    await fork.chain.stop();
    stage.liar.lie({ result: (method, result) => (method === 'eth_getBlockByNumber' ? forked : result) });
    const failure = chain.finalBlock(stage.block);
    await expect(failure).rejects.toThrow(/disagree on final block/);
    await expect(failure).rejects.toThrow(
      new RegExp(`${new URL(stage.liar.url).host}.*${new URL(stage.honest.url).host}`),
    );
    expect(other).toBeDefined();
  });

  it('are outvoted about a hash and about a height where two others agree', async () => {
    const third = await startLyingProxy(stage.payer.chain.rpcUrl);
    const urls = [stage.honest.url, stage.liar.url, third.url];
    const truth = await stage.chainOf([stage.honest.url]).finalBlock(10_000);
    const fork = await AnvilPayer.start();
    await fork.chain.mine(stage.block + 6);
    stage.liar.lie({
      result: (method, result, params) =>
        method === 'eth_getBlockByNumber' && Array.isArray(params) ? fork.chain.rpc(method, params) : result,
    });
    expect(await stage.chainOf(urls).finalBlock(10_000)).toEqual(truth);
    await fork.chain.stop();
    const genuine = await stage.payer.chain.rpc('eth_getBlockByNumber', ['0x1', false]);
    stage.liar.lie({
      result: (_method, result, params) =>
        Array.isArray(params) && params[0] === 'finalized' ? genuine : result,
    });
    expect(await stage.chainOf(urls).finalBlock(10_000)).toEqual(truth);
    stage.liar.lie({ body: () => ({ status: 503, body: '' }) });
    expect(await stage.chainOf(urls).finalBlock(10_000)).toEqual(truth);
    await third.stop();
  });

  it('take the lower finality of the two, and none where one of two does not answer', async () => {
    const alone = await stage.chainOf([stage.honest.url]).finalBlock(10_000);
    const [, lower] = await stage.chainOf([stage.honest.url]).headers(0, 1);
    const genuine = await stage.payer.chain.rpc('eth_getBlockByNumber', ['0x1', false]);
    stage.liar.lie({
      result: (_method, result, params) =>
        Array.isArray(params) && params[0] === 'finalized' ? genuine : result,
    });
    expect(alone?.number).toBeGreaterThan(1);
    expect(await stage.chainOf([stage.liar.url, stage.honest.url]).finalBlock(10_000)).toEqual({
      number: 1,
      hash: lower?.hash,
    });
    stage.liar.lie({ body: () => ({ status: 503, body: '' }) });
    await expect(stage.chainOf([stage.liar.url, stage.honest.url]).finalBlock(10_000)).rejects.toThrow(
      /HTTP 503/,
    );
  });

  it('are counted by their own heads, so that no block one of them made up confirms another', async () => {
    const head = await stage.chainOf([stage.honest.url]).head();
    stage.liar.lie({ result: (method, result) => (method === 'eth_blockNumber' ? '0xff' : result) });
    for (const urls of [[stage.liar.url, stage.honest.url], [stage.honest.url]]) {
      const chain = stage.chainOf(urls, undefined, { confirmations: 5 });
      expect(await chain.finalBlock(head + 3)).toMatchObject({ number: head - 4 });
    }
  });

  it('call their newest block final, which is no finality', async () => {
    const head = await stage.chainOf([stage.honest.url]).head();
    stage.liar.lie({ result: (method, result) => (method === 'eth_blockNumber' ? '0x1' : result) });
    await expect(stage.chainOf([stage.liar.url]).finalBlock(head)).rejects.toThrow(/no finality of its own/);
  });
});

describe('a block that the books say cannot be', () => {
  it('is confirmed by a second endpoint, or by the only one', async () => {
    const chain = stage.chainOf([stage.liar.url, stage.honest.url]);
    const header = (await chain.readBlock(stage.block, stage.currencies))?.header;
    if (header === undefined) throw new Error('the block is not there');
    await chain.confirmBlock(header, 'repeats a transfer');
    await stage.chainOf([stage.liar.url]).confirmBlock(header, 'repeats a transfer');
  });

  it('rests who told of it where the others do not have it, whether it tells it again or not', async () => {
    const none = tamper('eth_getBlockByNumber', () => null);
    for (const isToldAgain of [true, false]) {
      stage.liar.lie();
      stage.honest.lie();
      const chain = stage.chainOf([stage.liar.url, stage.honest.url]);
      const header = (await chain.readBlock(stage.block, stage.currencies))?.header;
      if (header === undefined) throw new Error('the block is not there');
      stage.honest.lie({ result: none });
      if (!isToldAgain) stage.liar.lie({ result: none });
      await expect(chain.confirmBlock(header, 'repeats a transfer')).rejects.toMatchObject({
        kind: 'repeated-transfer',
        message: expect.stringMatching(/^127\.0\.0\.1:\d+ told of block .* and no second endpoint has it$/),
      });
      expect(chain.health()[0]).toMatchObject({ healthy: false });
    }
  });
});
