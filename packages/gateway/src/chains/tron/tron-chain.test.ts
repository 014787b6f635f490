// What a healthy Tron node does not do: results missing or contradicting, receipts of elsewhere, lags, lies, limits.
import { contractSchemas } from '@ducat/tron-dev/protocol/contracts';
import { make } from '@ducat/tron-dev/protocol/schema';
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realWorld } from '../../runtime/world.ts';
import type { ChainPort } from '../port.ts';
import {
  mintSelector,
  tokenCall,
  tokenCode,
  transferSelector,
} from '@ducat/testkit/chains/evm/evm-contracts';
import { manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testTronDefinition } from '@ducat/testkit/chains/test-currencies';
import { toTron, TronPayer } from '@ducat/testkit/chains/tron/tron-payer';
import { startTronProxy, type TronProxy } from '@ducat/testkit/chains/tron/tron-proxy';
import { createTronChain, type TronChainOptions } from './tron-chain.ts';

type Json = Record<string, unknown>;

const trx = testCurrency(1000, null);
const to = `0x${'c'.repeat(40)}`;

let payer: TronPayer;
let proxy: TronProxy;
let other: TronProxy;
let token: string;
let tokenBlock: number;
let trxBlock: number;
let chainOf: (options?: Partial<TronChainOptions>) => ChainPort;

beforeAll(async () => {
  payer = await TronPayer.start();
  token = await payer.deploy(tokenCode());
  await payer.sendAndMine({ to: token, data: tokenCall(mintSelector, payer.address, 10n ** 15n) });
  trxBlock = (await payer.sendAndMine({ to, value: 9_007_199_254_740_993n })).block;
  tokenBlock = (await payer.sendAndMine({ to: token, data: tokenCall(transferSelector, to, 5n) })).block;
  proxy = await startTronProxy(payer.dev.fullUrl);
  other = await startTronProxy(payer.dev.fullUrl);
  const definition = await testTronDefinition(payer.dev.fullUrl, {
    currencies: [trx, testCurrency(1001, toTron(token))],
  });
  chainOf = (options = {}) =>
    createTronChain({ definition, rpcUrls: [proxy.url], world: realWorld, ...options });
});
beforeEach(() => {
  for (const one of [proxy, other]) {
    one.lie();
    one.refuse(null);
  }
});
afterAll(async () => {
  await Promise.all([proxy.stop(), other.stop(), payer.dev.stop()]);
});

const read = (chain: ChainPort, number: number) => chain.readBlock(number, chain.definition.currencies);

/** Changes the answers of one call of either view. */
const changing = (name: string, change: (answer: Json) => unknown) => (call: string, answer: Json) =>
  call.endsWith(`/${name}`) ? change(answer) : answer;

/** Changes the only transaction of a block, or the only receipt. */
const inBlock = (change: (transaction: Json) => Json) =>
  changing('getblockbynum', (block) => ({
    ...block,
    transactions: (block['transactions'] as Json[]).map(change),
  }));
const inReceipt = (change: (receipt: Json) => Json) =>
  changing('gettransactioninfobyblocknum', (receipts) => (receipts as unknown as Json[]).map(change));

describe('a block of Tron', () => {
  it('is read to the last unit above 2^53', async () => {
    const block = await read(chainOf(), trxBlock);
    expect(block?.transfers.map(({ to: paid, amount }) => [paid, unitsOf(amount)])).toEqual([
      [toTron(to), 9_007_199_254_740_993n],
    ]);
  });

  const lies: readonly (readonly [string, () => Parameters<TronProxy['lie']>[0], RegExp])[] = [
    // T01: which result.
    ['a result that is missing', () => inBlock((tx) => ({ ...tx, ret: undefined })), /do not give its root/],
    [
      'a result that is another',
      () => inBlock((tx) => ({ ...tx, ret: [{ contractRet: 'REVERT' }] })),
      /its root/,
    ],
    ['a result nobody knows', () => inBlock((tx) => ({ ...tx, ret: [{ contractRet: 'FINE' }] })), /its root/],
    // The block and its transactions.
    [
      'another id of a transaction',
      () => inBlock((tx) => ({ ...tx, txID: '0'.repeat(64) })),
      /the id that it is given/,
    ],
    ['another signature', () => inBlock((tx) => ({ ...tx, signature: ['00'.repeat(65)] })), /its root/],
    [
      'a transaction left out',
      () => changing('getblockbynum', (block) => ({ ...block, transactions: undefined })),
      /its root/,
    ],
    [
      'a header changed',
      () =>
        changing('getblockbynum', (block) => ({
          ...block,
          block_header: {
            raw_data: {
              ...(block as { block_header: { raw_data: Json } }).block_header.raw_data,
              version: 1,
            },
          },
        })),
      /does not give its id/,
    ],
    // Receipts.
    ['no receipts', () => changing('gettransactioninfobyblocknum', () => []), /but no receipts of it/],
    [
      'receipts of a height below 1',
      () => changing('gettransactioninfobyblocknum', () => ({})),
      /no receipts of it/,
    ],
    [
      'a receipt too many',
      () => changing('gettransactioninfobyblocknum', (all) => [...(all as unknown as Json[]), {}]),
      /2 receipts for 1 transactions/,
    ],
    ['a receipt of another', () => inReceipt((one) => ({ ...one, id: '1'.repeat(64) })), /not in the order/],
    [
      'a receipt of another block',
      () => inReceipt((one) => ({ ...one, blockNumber: 3 })),
      /from another block/,
    ],
    [
      'a receipt of another time',
      () => inReceipt((one) => ({ ...one, blockTimeStamp: 3 })),
      /from another block/,
    ],
    ['an amount as text', () => inReceipt((one) => ({ ...one, log: [{ address: 5 }] })), /as hex/],
    [
      "a token's log under its address as accounts have it",
      () =>
        inReceipt((one) => ({
          ...one,
          log: (one['log'] as Json[]).map((log) => ({ ...log, address: toTron(token) })),
        })),
      /is not 20 bytes/,
    ],
  ];
  it.each(lies)('is not believed with %s', async (_, lie, message) => {
    proxy.lie(lie());
    await expect(read(chainOf(), tokenBlock)).rejects.toThrow(message);
    proxy.lie();
    expect((await read(chainOf(), tokenBlock))?.transfers).toHaveLength(1);
  });

  it.each<readonly [string, Json]>([
    ['failed', { result: 'FAILED' }],
    ['has no result', { receipt: {} }],
    ['ran out of energy', { receipt: { result: 'OUT_OF_ENERGY' } }],
    ['has a log of nobody', { log: [{}] }],
  ])('counts no token of a receipt that %s, names it, and does not discredit the node', async (_, change) => {
    const chain = chainOf();
    proxy.lie(inReceipt((one) => ({ ...one, ...change })));
    const block = await read(chain, tokenBlock);
    expect(block?.transfers).toEqual([]);
    expect(block?.untraced).toMatchObject([{ reason: 'unclear-receipt' }]);
    expect(chain.health()).toMatchObject([{ healthy: true, lastError: null }]);
  });

  it('is read by its bytes, whatever the JSON beside them says', async () => {
    proxy.lie(inBlock((tx) => ({ ...tx, raw_data: { contract: [] } })));
    expect((await read(chainOf(), trxBlock))?.transfers).toHaveLength(1);
  });

  it('counts neither a TRC-10 token named USDT nor a call_token_value', async () => {
    const owner = toTron(payer.address);
    const tokenId = await payer.dev.issueToken({
      owner,
      name: 'USDT',
      symbol: 'USDT',
      precision: 6,
      supply: 10n ** 9n,
    });
    const transfer = {
      asset_name: Buffer.from(tokenId).toString('hex'),
      owner_address: owner,
      to_address: toTron(to),
      amount: 1_000_000n,
    };
    await payer.send({
      name: 'TransferAssetContract',
      value: make(contractSchemas.TransferAssetContract, transfer),
    });
    const [mined] = await payer.dev.mine();
    expect(mined?.transactions).toHaveLength(1);
    expect((await read(chainOf(), mined?.number ?? 0))?.transfers).toEqual([]);
    proxy.lie(
      inReceipt((one) => ({
        ...one,
        internal_transactions: [
          {
            caller_address: toTron(token),
            transferTo_address: toTron(to),
            note: Buffer.from('call').toString('hex'),
            callValueInfo: [{ callValue: 7, tokenId: '1000001' }, {}],
          },
        ],
      })),
    );
    expect((await read(chainOf(), tokenBlock))?.transfers.map(({ position }) => position)).toEqual(['log:0']);
  });

  it('counts no inner transfer that was rejected, nor amounts that are no payment', async () => {
    const inner = {
      caller_address: toTron(token),
      transferTo_address: toTron(to),
      callValueInfo: [{ callValue: 7 }],
    };
    const note = (text: string) => Buffer.from(text).toString('hex');
    proxy.lie(
      inReceipt((one) => ({
        ...one,
        internal_transactions: [
          { ...inner, note: note('call'), rejected: true },
          { ...inner, note: note('freezeBalanceV2ForEnergy') },
          { ...inner, note: note('call') },
        ],
      })),
    );
    expect((await read(chainOf(), tokenBlock))?.transfers.map(({ position }) => position)).toEqual([
      'log:0',
      'inner:1.0',
    ]);
  });
});

describe('a final block of Tron', () => {
  const forged = inReceipt((one) => ({
    ...one,
    log: (one['log'] as Json[]).map((log) => ({ ...log, data: '9'.padStart(64, '0') })),
  }));

  it('is what two endpoints tell alike, and an Outage that names them where they do not', async () => {
    await payer.dev.mine(5);
    const chain = chainOf({ rpcUrls: [proxy.url, other.url] });
    const { readFinal } = chain;
    proxy.lie(forged);
    await expect(readFinal?.(tokenBlock, chain.definition.currencies)).rejects.toThrow(
      /disagree on what moved in block/,
    );
    proxy.lie();
    const block = await readFinal?.(tokenBlock, chain.definition.currencies);
    expect(block?.transfers.map(({ amount }) => unitsOf(amount))).toEqual([5n]);
  });

  it('is not one that only the head has', async () => {
    const { block } = await payer.sendAndMine({ to, value: 1n });
    const chain = chainOf();
    expect((await read(chain, block))?.transfers).toHaveLength(1);
    await expect(chain.readFinal?.(block, [trx])).rejects.toThrow('does not have block');
    expect((await chain.finalBlock(block))?.number).toBe(block - 3);
    await payer.dev.freezeSolid();
    await payer.dev.mine(5);
    expect((await chain.finalBlock(block))?.number).toBe(block - 3);
    await payer.dev.freezeSolid(false);
  });

  it('needs two endpoints that have the same block there', async () => {
    const chain = chainOf({ rpcUrls: [proxy.url, other.url] });
    proxy.lie((call, answer) =>
      call === 'walletsolidity/getblock' ? { ...answer, blockID: '0'.repeat(64) } : answer,
    );
    await expect(chain.finalBlock(tokenBlock)).rejects.toThrow(/does not give its id/);
  });
});

describe('a node of Tron', () => {
  it('is refused on another chain', async () => {
    const definition = { ...chainOf().definition, chainId: 728_126_428 };
    await expect(chainOf({ definition }).head()).rejects.toThrow('is on the wrong chain: its chain id is');
  });

  it('that is a lite one is named so', async () => {
    const chain = chainOf();
    await chain.head();
    proxy.refuse({ status: 200, text: 'this API is closed because this node is a lite fullnode' });
    await expect(read(chain, 1)).rejects.toThrow('is a lite node');
  });

  it.each([
    ['403', { status: 403, text: '' }],
    ['429', { status: 429, text: '' }],
    ['503', { status: 503, text: '' }],
    ['its own limit', { status: 200, text: '{"Error":"class X : lack of computing resources"}' }],
  ])('that answers %s is left alone at once, and asked again later', async (_, refusal) => {
    const world = manualWorld();
    const chain = chainOf({ world });
    await chain.head();
    proxy.refuse(refusal);
    await expect(chain.head()).rejects.toThrow('wants to be asked less often');
    const asked = proxy.asked.length;
    await expect(chain.head()).rejects.toThrow('rests: wants to be asked less often');
    expect(proxy.asked.length).toBe(asked);
    proxy.refuse(null);
    world.advance(60_000);
    expect(await chain.head()).toBeGreaterThan(0);
  });

  it('gets its key in a header, and keeps it out of every message', async () => {
    const chain = chainOf({ rpcUrls: [proxy.url.replace('http://', 'http://TRON-PRO-API-KEY:top-secret@')] });
    await chain.head();
    expect(proxy.asked.at(-1)?.key).toBe('top-secret');
    proxy.refuse({ status: 200, text: '{"Error":"top-secret is no good key"}' });
    await expect(chain.head()).rejects.toThrow('answered error: *** is no good key');
  });

  it('states what it cannot show', async () => {
    const chain = chainOf();
    expect(chain.gaps().join('\n')).toMatch(/vm\.saveInternalTx[\s\S]*With one endpoint/);
  });
});
