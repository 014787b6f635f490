// What the endpoints of a Tron chain do to each other: who is believed, who rests, and who holds nobody up.
import { blockIdOf } from '@ducat/tron-dev/protocol/block-header';
import { blockHeaderRaw } from '@ducat/tron-dev/protocol/messages';
import { make } from '@ducat/tron-dev/protocol/schema';
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realWorld } from '../../runtime/world.ts';
import type { BlockReference, ChainPort } from '../port.ts';
import {
  mintSelector,
  relayCode,
  tokenCall,
  tokenCode,
  transferSelector,
} from '@ducat/testkit/chains/evm/evm-contracts';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testTronDefinition } from '@ducat/testkit/chains/test-currencies';
import { toTron, TronPayer } from '@ducat/testkit/chains/tron/tron-payer';
import { startTronProxy, type TronProxy, type TronTamper } from '@ducat/testkit/chains/tron/tron-proxy';
import { createTronChain, type TronChainOptions } from './tron-chain.ts';

type Json = Record<string, unknown>;

const trx = testCurrency(1000, null);
const to = `0x${'c'.repeat(40)}`;
const lowBlock = { method: 'POST', body: '{"id_or_num":"1"}' };

let payer: TronPayer;
let proxies: readonly [TronProxy, TronProxy, TronProxy];
let paidBlock: number;
let innerBlock: number;
let emptyBlock: number;
let chainOf: (count: number, options?: Partial<TronChainOptions>) => ChainPort;

beforeAll(async () => {
  payer = await TronPayer.start();
  const token = await payer.deploy(tokenCode());
  await payer.sendAndMine({ to: token, data: tokenCall(mintSelector, payer.address, 10n ** 15n) });
  paidBlock = (await payer.sendAndMine({ to: token, data: tokenCall(transferSelector, to, 5n) })).block;
  const relay = await payer.deploy(relayCode(to, 'CALLVALUE', 'ok'));
  innerBlock = (await payer.sendAndMine({ to: relay, value: 9n })).block;
  const [empty] = await payer.dev.mine();
  emptyBlock = empty?.number ?? -1;
  await payer.dev.mine(5);
  const { fullUrl } = payer.dev;
  proxies = [await startTronProxy(fullUrl), await startTronProxy(fullUrl), await startTronProxy(fullUrl)];
  const definition = await testTronDefinition(fullUrl, {
    currencies: [trx, testCurrency(1001, toTron(token))],
  });
  chainOf = (count, options = {}) =>
    createTronChain({
      definition,
      rpcUrls: proxies.slice(0, count).map(({ url }) => url),
      world: realWorld,
      requestsPerSecond: 1_000,
      ...options,
    });
});
beforeEach(() => {
  for (const proxy of proxies) {
    proxy.lie();
    proxy.refuse(null);
  }
});
afterAll(() => Promise.all([...proxies.map((proxy) => proxy.stop()), payer.dev.stop()]));

const read = (chain: ChainPort, number: number) => chain.readBlock(number, chain.definition.currencies);
const readAgain = (chain: ChainPort, number: number) =>
  chain.readFinal?.(number, chain.definition.currencies);
const healthy = (chain: ChainPort) => chain.health().map((one) => one.healthy);

/** What a node answers that does not keep internal transactions. */
const withoutInternal: TronTamper = (call, answer) =>
  call.endsWith('/gettransactioninfobyblocknum')
    ? (answer as unknown as Json[]).map((one) => ({ ...one, internal_transactions: undefined }))
    : answer;

describe('a made-up block that repeats a payment', () => {
  /** Tells the empty block with the old payment in it: its id follows from its header, its root from its content. */
  async function makeUp(): Promise<{ readonly lie: TronTamper; readonly block: BlockReference }> {
    const ask = async (call: string, num: number): Promise<Json> => {
      const request = { method: 'POST', body: JSON.stringify({ num }) };
      return (await fetch(`${payer.dev.fullUrl}/wallet/${call}`, request)).json() as Promise<Json>;
    };
    const rawOf = (block: Json) => (block as { block_header: { raw_data: Json } }).block_header.raw_data;
    const paid = await ask('getblockbynum', paidBlock);
    const receipts = (await ask('gettransactioninfobyblocknum', paidBlock)) as unknown as Json[];
    const raw = { ...rawOf(await ask('getblockbynum', emptyBlock)), txTrieRoot: rawOf(paid)['txTrieRoot'] };
    const integers = ['timestamp', 'number', 'version'].map((name) => [
      name,
      BigInt(Number(raw[name as never])),
    ]);
    const hash = blockIdOf(make(blockHeaderRaw, { ...raw, ...Object.fromEntries(integers) }));
    const made = { blockID: hash, block_header: { raw_data: raw } };
    const moved = { blockNumber: emptyBlock, blockTimeStamp: raw['timestamp' as never] };
    const lie: TronTamper = (call, answer, question) => {
      if (question['num'] !== emptyBlock && question['id_or_num'] !== String(emptyBlock)) return answer;
      if (call.endsWith('infobyblocknum')) return receipts.map((one) => ({ ...one, ...moved }));
      return call.endsWith('getblock') ? made : { ...made, transactions: paid['transactions'] };
    };
    return { lie, block: { number: emptyBlock, hash } };
  }
  /** A block that is not solid yet is read from the first endpoint alone. */
  async function readFromHead(
    lie: TronTamper,
  ): Promise<{ readonly chain: ChainPort; readonly hash: string }> {
    const low = await (await fetch(`${payer.dev.fullUrl}/wallet/getblock`, lowBlock)).json();
    for (const [place, proxy] of proxies.entries()) {
      proxy.lie((call, answer, question) => {
        if (call === 'walletsolidity/getblock' && !('id_or_num' in question)) return low;
        return place === 0 ? lie(call, answer, question) : answer;
      });
    }
    const chain = chainOf(2, { world: manualWorld() });
    const block = await read(chain, emptyBlock);
    expect(block?.transfers.map(({ amount }) => unitsOf(amount))).toEqual([5n]);
    return { chain, hash: block?.header.hash ?? '' };
  }

  it('of one endpoint is not confirmed: the endpoint rests, and the next one tells the honest block', async () => {
    const { lie, block } = await makeUp();
    const { chain, hash } = await readFromHead(lie);
    expect(hash).toBe(block.hash);
    await expect(chain.confirmBlock(block, 'repeats a transfer')).rejects.toMatchObject({
      kind: 'repeated-transfer',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ told of block .* repeats a transfer/),
    });
    expect(healthy(chain)).toEqual([false, true]);
    expect(chain.health()[0]?.lastError).toMatch(/repeats a transfer/);
    expect((await read(chain, emptyBlock))?.transfers).toEqual([]);
  });

  it('is found out also where its teller does not tell it any more', async () => {
    const { lie, block } = await makeUp();
    const { chain } = await readFromHead(lie);
    proxies[0].lie();
    await expect(chain.confirmBlock(block, 'repeats a transfer')).rejects.toThrow(
      'no second endpoint has it',
    );
    expect(healthy(chain)).toEqual([false, true]);
  });

  it('is confirmed by two endpoints, or by the only one', async () => {
    const { lie, block } = await makeUp();
    for (const proxy of proxies) proxy.lie(lie);
    await chainOf(2).confirmBlock(block, 'repeats a transfer');
    await chainOf(1).confirmBlock(block, 'repeats a transfer');
    await expect(chainOf(1).confirmBlock({ ...block, hash: '0'.repeat(64) }, 'is')).rejects.toThrow(
      'told of',
    );
  });
});

describe('payments made by contracts', () => {
  const silences = [
    [true, false, false],
    [false, true, false],
    [false, false, true],
  ] as const;
  // hits mark: inner-transfers-are-no-vote
  it.each(silences)('are not voted away where the nodes that keep them are %s, %s, %s', async (...keeps) => {
    for (const [place, keep] of keeps.entries()) if (!keep) proxies[place]?.lie(withoutInternal);
    const chain = chainOf(3);
    await expect(readAgain(chain, innerBlock)).rejects.toMatchObject({ kind: 'inner-disagreement' });
    expect(healthy(chain)).toEqual([true, true, true]);
    // It is shown all the same, as far as the preferred endpoint knows it.
    expect((await read(chain, innerBlock))?.transfers).toHaveLength(keeps[0] ? 2 : 1);
    const keeper = chain.health()[keeps.indexOf(true)]?.endpoint ?? 'nobody';
    const gap = chain.gaps().find((one) => one.includes('vm.saveInternalTx'));
    expect(gap).toBeDefined();
    expect(gap).not.toContain(keeper);
    for (const proxy of proxies) proxy.lie();
    expect((await readAgain(chain, innerBlock))?.transfers.map(({ to: paid }) => paid)).toContain(toTron(to));
    expect(chain.gaps().join()).not.toContain('vm.saveInternalTx');
  });

  it('are the same where a node keeps freezing and voting beside them', async () => {
    const featured = {
      note: Buffer.from('freezeBalanceV2ForEnergy').toString('hex'),
      callValueInfo: [{ callValue: 7 }],
    };
    proxies[0].lie((call, answer) =>
      call.endsWith('/gettransactioninfobyblocknum')
        ? (answer as unknown as Json[]).map((one) => ({
            ...one,
            internal_transactions: [featured, ...((one['internal_transactions'] ?? []) as Json[]), featured],
          }))
        : answer,
    );
    const block = await readAgain(chainOf(2), innerBlock);
    expect(block?.transfers.map(({ position }) => position)).toEqual(['value', 'inner:0.0']);
  });

  it('that cannot be read where one node keeps them are not voted away either', async () => {
    proxies[1].lie(withoutInternal);
    proxies[2].lie(withoutInternal);
    proxies[0].lie((call, answer) =>
      call.endsWith('/gettransactioninfobyblocknum')
        ? (answer as unknown as Json[]).map((one) => ({
            ...one,
            internal_transactions: ((one['internal_transactions'] ?? []) as Json[]).map((sent) => ({
              ...sent,
              note: 'call',
            })),
          }))
        : answer,
    );
    await expect(readAgain(chainOf(3), innerBlock)).rejects.toMatchObject({ kind: 'inner-disagreement' });
  });

  it('outvote nobody in what the root does not cover but two agree on', async () => {
    proxies[2].lie((call, answer) =>
      call.endsWith('/gettransactioninfobyblocknum')
        ? (answer as unknown as Json[]).map((one) => ({ ...one, log: [] }))
        : answer,
    );
    expect((await readAgain(chainOf(3), paidBlock))?.transfers).toHaveLength(1);
  });

  it('are a stated gap while a single node does not keep them', async () => {
    proxies[0].lie(withoutInternal);
    const chain = chainOf(1);
    const block = await readAgain(chain, innerBlock);
    expect(block?.transfers.map(({ position }) => position)).toEqual(['value']);
    expect(chain.gaps().join()).toMatch(/127\.0\.0\.1:\d+: has not shown a payment made by a contract yet/);
  });
});

describe('receipts that are too much in one answer', () => {
  const tooMuch = { status: 413, text: '', calls: /gettransactioninfobyblocknum/ };
  const changed =
    (change: (receipt: Json) => Json): TronTamper =>
    (call, answer) =>
      call.endsWith('/gettransactioninfobyid') ? change(answer) : answer;

  it('are read one by one, and proven by id and block', async () => {
    proxies[0].refuse(tooMuch);
    const chain = chainOf(1);
    const movements = async () =>
      (await read(chain, paidBlock))?.transfers.map(({ amount }) => unitsOf(amount));
    expect(await movements()).toEqual([5n]);
    expect(proxies[0].asked.filter(({ call }) => call.endsWith('infobyid'))).toHaveLength(1);
    expect(healthy(chain)).toEqual([true]);
  });

  it.each<readonly [string, (receipt: Json) => Json, RegExp]>([
    ['another id', (one) => ({ ...one, id: '1'.repeat(64) }), /not in the order/],
    ['another block', (one) => ({ ...one, blockNumber: 1 }), /from another block/],
    ['nothing', () => ({}), /but no receipts of it/],
  ])('are not believed with %s', async (_, change, message) => {
    proxies[0].refuse(tooMuch);
    proxies[0].lie(changed(change));
    await expect(read(chainOf(1), paidBlock)).rejects.toThrow(message);
  });
});

describe('the solid view', () => {
  it('that told a height and is gone holds nobody up', async () => {
    const chain = chainOf(2);
    await read(chain, paidBlock);
    await chain.finalBlock(paidBlock);
    for (const proxy of proxies) proxy.refuse({ status: 500, text: 'away', calls: /^walletsolidity/ });
    expect((await read(chain, paidBlock))?.transfers).toHaveLength(1);
    await expect(readAgain(chain, paidBlock)).rejects.toThrow('HTTP 500');
  });

  it('that never answered holds nobody up either', async () => {
    const chain = chainOf(2);
    for (const proxy of proxies) proxy.refuse({ status: 500, text: 'away', calls: /^walletsolidity/ });
    for (let time = 0; time < 5; time++) expect((await read(chain, paidBlock))?.transfers).toHaveLength(1);
    expect(healthy(chain)).toEqual([true, true]);
  });

  it('of one of two that stands still is told, and the endpoint is not counted as healthy', async () => {
    const world = manualWorld();
    const chain = chainOf(2, { world });
    const frozen = new Map<string, Json>();
    proxies[1].lie((call, answer, question) => {
      if (call !== 'walletsolidity/getblock' || 'id_or_num' in question) return answer;
      if (!frozen.has('head')) frozen.set('head', answer);
      return frozen.get('head');
    });
    const final = async () => (await chain.finalBlock(payer.dev.head().number))?.number;
    const before = await final();
    await payer.dev.mine(3);
    expect(await final()).toBe(before);
    expect(healthy(chain)).toEqual([true, true]);
    world.advance(61_000);
    expect(await final()).toBe(before);
    expect(healthy(chain)).toEqual([true, false]);
    expect(chain.health()[1]?.lastError).toMatch(
      /calls nothing above block \d+ final, and another endpoint does/,
    );
    proxies[1].lie();
    expect(await final()).toBe((before ?? 0) + 3);
    expect(healthy(chain)).toEqual([true, true]);
  });
});

describe('a provider that has enough', () => {
  it('is left alone for seconds, twice as long each time, and as long as it asks for', async () => {
    const world = manualWorld();
    const chain = chainOf(1, { world });
    await chain.head();
    const restsFor = async (ms: number): Promise<void> => {
      await expect(chain.head()).rejects.toMatchObject({ kind: 'throttled' });
      world.advance(ms - 1);
      await expect(chain.head()).rejects.toThrow('rests: wants to be asked less often');
      world.advance(1);
    };
    proxies[0].refuse({ status: 429, text: '' });
    for (const ms of [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) await restsFor(ms);
    proxies[0].refuse({ status: 503, text: '', headers: { 'retry-after': '90' } });
    await restsFor(90_000);
    proxies[0].refuse({ status: 429, text: '', headers: { 'retry-after': '86400' } });
    await restsFor(300_000);
    proxies[0].refuse(null);
    expect(await chain.head()).toBeGreaterThan(0);
  });
});

describe('a node that is not the one that is meant', () => {
  it('is named so where only the end of its genesis is right', async () => {
    const { definition } = chainOf(1);
    const genesisHash = `f${definition.genesisHash?.slice(1)}`;
    const chain = chainOf(1, { definition: { ...definition, genesisHash } });
    await expect(chain.head()).rejects.toMatchObject({
      kind: 'wrong-chain',
      message: expect.stringMatching(/is on the wrong chain: its block 0 is/),
    });
  });

  it.each<readonly [string, number]>([
    ['block 0', 0],
    ['old blocks', 1],
  ])('is named a lite node without %s', async (_, dropped) => {
    proxies[0].lie((_call, answer, question) => (question['id_or_num'] === String(dropped) ? {} : answer));
    await expect(chainOf(1).head()).rejects.toMatchObject({
      kind: 'lite-node',
      message: expect.stringMatching(/is a lite node: it has no block/),
    });
  });

  it('is named a lite node where it says so itself', async () => {
    const text = 'this API is closed because this node is a lite fullnode';
    proxies[0].refuse({ status: 200, text, calls: /getblockbynum/ });
    await expect(read(chainOf(1), paidBlock)).rejects.toMatchObject({ kind: 'lite-node' });
  });
});

describe('balances', () => {
  it('that cannot be told leave the reading of blocks alone', async () => {
    const chain = chainOf(1);
    const at = await chain.finalBlock(payer.dev.head().number);
    if (at === null) throw new Error('nothing is final');
    const ask = () => chain.balances([toTron(to)], trx, at);
    expect((await ask()).map(unitsOf)).toEqual([9n]);
    proxies[0].refuse({ status: 500, text: '', calls: /getaccount/ });
    for (let time = 0; time < 5; time++) await expect(ask()).rejects.toThrow('HTTP 500');
    proxies[0].refuse({ status: 429, text: '', calls: /getaccount/ });
    await expect(ask()).rejects.toMatchObject({ kind: 'throttled' });
    expect(healthy(chain)).toEqual([true]);
    expect(await chain.head()).toBeGreaterThan(0);
  });
});
