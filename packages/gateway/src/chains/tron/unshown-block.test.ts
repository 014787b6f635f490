// Blocks that nodes have and cannot show, as a payer can make them: the chain moves on, and no coin in them is believed.
import { contractSchemas } from '@ducat/tron-dev/protocol/contracts';
import { make } from '@ducat/tron-dev/protocol/schema';
import { unitsOf } from '@ducat/core/money/amount';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChainPort } from '../port.ts';
import {
  mintSelector,
  tokenCall,
  tokenCode,
  transferSelector,
} from '@ducat/testkit/chains/evm/evm-contracts';
import { type ManualWorld, manualWorld } from '@ducat/testkit/chains/manual-world';
import { testCurrency, testTronDefinition } from '@ducat/testkit/chains/test-currencies';
import { toTron, TronPayer } from '@ducat/testkit/chains/tron/tron-payer';
import { startTronProxy, type TronProxy, type TronTamper } from '@ducat/testkit/chains/tron/tron-proxy';
import { createTronChain } from './tron-chain.ts';

const trx = testCurrency(1000, null);
const to = `0x${'c'.repeat(40)}`;
/** Field 99, four bytes wide: 5. java-tron prints it as bare 0x00000005, and cannot parse that. */
const fixed = '9d0605000000';

let payer: TronPayer;
let proxies: readonly [TronProxy, TronProxy, TronProxy];
/** Pays 7 TRX and 5 tokens, and cannot be printed. */
let unprintable: number;
/** Pays the same, and can. */
let plain: number;
let open: (count: number) => { readonly chain: ChainPort; readonly world: ManualWorld };

beforeAll(async () => {
  payer = await TronPayer.start();
  const token = await payer.deploy(tokenCode());
  await payer.sendAndMine({ to: token, data: tokenCall(mintSelector, payer.address, 10n ** 15n) });
  const pay = async (more: string): Promise<number> => {
    const owner_address = toTron(payer.address);
    const transfer = make(contractSchemas.TransferContract, {
      owner_address,
      to_address: toTron(to),
      amount: 7n,
    });
    await payer.send({ name: 'TransferContract', value: transfer }, '', more);
    const data = tokenCall(transferSelector, to, 5n).slice(2);
    const call = make(contractSchemas.TriggerSmartContract, {
      owner_address,
      contract_address: toTron(token),
      data,
    });
    await payer.send({ name: 'TriggerSmartContract', value: call });
    const [mined] = await payer.dev.mine();
    return mined?.number ?? -1;
  };
  unprintable = await pay(fixed);
  plain = await pay('');
  await payer.dev.mine(5);
  const { fullUrl } = payer.dev;
  proxies = [await startTronProxy(fullUrl), await startTronProxy(fullUrl), await startTronProxy(fullUrl)];
  const currencies = [trx, testCurrency(1001, toTron(token))];
  const definition = await testTronDefinition(fullUrl, { currencies });
  open = (count) => {
    const world = manualWorld();
    const rpcUrls = proxies.slice(0, count).map(({ url }) => url);
    return { chain: createTronChain({ definition, rpcUrls, world, requestsPerSecond: 10_000 }), world };
  };
});
beforeEach(() => {
  for (const proxy of proxies) {
    proxy.lie();
    proxy.refuse(null);
  }
});
afterAll(() => Promise.all([...proxies.map((proxy) => proxy.stop()), payer.dev.stop()]));

const read = (chain: ChainPort, number: number) => chain.readBlock(number, chain.definition.currencies);
const healthy = (chain: ChainPort) => chain.health().map((one) => one.healthy);
const units = async (chain: ChainPort, number: number) =>
  (await read(chain, number))?.transfers.map(({ amount }) => unitsOf(amount));
const unshown = (number: number) => new RegExp(`cannot show block ${number}: answered`);

/** Changes the answer about the body of one block. */
const inBody =
  (number: number, change: (answer: object) => unknown): TronTamper =>
  (call, answer, question) =>
    call.endsWith('/getblockbynum') && question['num'] === number ? change(answer) : answer;
const parts = (count: number) => (answer: object) => ({
  ...answer,
  more: Array.from({ length: count }, () => 0),
});

describe('a block that cannot be printed', () => {
  it('is passed by the word of two: none of its coins, the tokens that both tell, and an alarm', async () => {
    const { chain, world } = open(2);
    // hits mark: unshown-takes-two
    await expect(read(chain, unprintable)).rejects.toMatchObject({ kind: 'unreadable-block' });
    for (let time = 0; time < 10; time++)
      await expect(read(chain, unprintable)).rejects.toThrow(unshown(unprintable));
    // Neither the head nor any other block has to wait for that one.
    expect(healthy(chain)).toEqual([true, true]);
    expect(await chain.head()).toBeGreaterThan(unprintable);
    expect(await units(chain, plain)).toEqual([7n, 5n]);
    for (const ms of [5_000, 4_999]) {
      world.advance(ms);
      await expect(read(chain, unprintable)).rejects.toThrow(unshown(unprintable));
    }
    world.advance(1);
    const block = await read(chain, unprintable);
    expect(block?.header).toEqual((await chain.headers(unprintable, unprintable))[0]);
    expect(block?.transfers.map(({ amount, position }) => [unitsOf(amount), position])).toEqual([
      [5n, 'log:0'],
    ]);
    expect(block?.untraced).toEqual([{ txId: null, reason: 'unprintable-block' }]);
    expect(await chain.readFinal?.(unprintable, chain.definition.currencies)).toEqual(block);
    expect(healthy(chain)).toEqual([true, true]);
  });

  it('stops a chain with one endpoint, which says so', async () => {
    const { chain, world } = open(1);
    for (let time = 0; time < 5; time++) {
      await expect(read(chain, unprintable)).rejects.toThrow(unshown(unprintable));
      world.advance(60_000);
    }
    expect(healthy(chain)).toEqual([true]);
    expect(chain.gaps().join()).toMatch(/With one endpoint, a block that it cannot show stops the reading/);
  });

  it('waits where the two do not tell its tokens alike', async () => {
    const { chain, world } = open(2);
    proxies[1].lie((call, answer) =>
      call.endsWith('/gettransactioninfobyblocknum')
        ? (answer as unknown as object[]).map((one) => ({ ...one, log: [] }))
        : answer,
    );
    for (let time = 0; time < 2; time++) {
      await expect(read(chain, unprintable)).rejects.toThrow(unshown(unprintable));
      world.advance(5_000);
    }
    await expect(read(chain, unprintable)).rejects.toMatchObject({ kind: 'disagreement' });
  });

  it('is one that two others can show: theirs is taken', async () => {
    const { chain, world } = open(3);
    proxies[0].lie(inBody(plain, () => ({ Error: 'class JSONException : lack of computing resources, 0x' })));
    world.advance(20_000);
    expect(await units(chain, plain)).toEqual([7n, 5n]);
    world.advance(20_000);
    expect(await units(chain, plain)).toEqual([7n, 5n]);
    expect(healthy(chain)).toEqual([true, true, true]);
  });

  it('or whose receipts cannot is passed too: its proven coins count, and its tokens are named', async () => {
    const { chain, world } = open(2);
    for (const proxy of proxies)
      proxy.lie((call, answer, question) =>
        call.endsWith('infobyblocknum') && question['num'] === plain ? { Error: 'JSONException' } : answer,
      );
    const what = `cannot show the receipts of block ${plain}`;
    for (let time = 0; time < 2; time++) {
      await expect(read(chain, plain)).rejects.toThrow(what);
      world.advance(5_000);
    }
    const block = await read(chain, plain);
    expect(block?.transfers.map(({ amount }) => unitsOf(amount))).toEqual([7n]);
    expect(block?.untraced).toMatchObject([{ reason: 'unclear-receipt' }]);
    expect(await chain.readFinal?.(plain, chain.definition.currencies)).toEqual(block);
    expect(healthy(chain)).toEqual([true, true]);
  });

  it('for a moment only is read when the moment is over', async () => {
    const { chain, world } = open(2);
    const trouble = inBody(plain, () => ({ Error: 'class NullPointerException : null' }));
    for (const proxy of proxies) proxy.lie(trouble);
    await expect(read(chain, plain)).rejects.toThrow(unshown(plain));
    world.advance(9_000);
    for (const proxy of proxies) proxy.lie();
    expect(await units(chain, plain)).toEqual([7n, 5n]);
    world.advance(9_000);
    // What its root has proven once need not be shown again.
    for (const proxy of proxies) proxy.lie(trouble);
    expect(await units(chain, plain)).toEqual([7n, 5n]);
  });

  it('is nothing of the kind where no block at all is shown: the endpoints rest', async () => {
    const { chain, world } = open(2);
    const away = {
      status: 200,
      text: '{"Error":"this API is unavailable due to config"}',
      calls: /getblockbynum/,
    };
    for (const proxy of proxies) proxy.refuse(away);
    for (let time = 0; time < 3; time++) {
      await expect(read(chain, plain)).rejects.toThrow('this API is unavailable');
      world.advance(20_000);
    }
    expect(healthy(chain)).toEqual([false, false]);
  });
});

describe('a block that is large', () => {
  it('beyond what is read beside others is read alone', async () => {
    const { chain } = open(2);
    for (const proxy of proxies) proxy.lie(inBody(plain, parts(300_000)));
    expect(await units(chain, plain)).toEqual([7n, 5n]);
    expect(healthy(chain)).toEqual([true, true]);
  });

  it('beyond all bounds at two endpoints is passed as one that cannot be printed is', async () => {
    const { chain, world } = open(2);
    for (const proxy of proxies) proxy.lie(inBody(plain, parts(1_100_000)));
    for (let time = 0; time < 2; time++) {
      await expect(read(chain, plain)).rejects.toThrow(unshown(plain));
      expect(healthy(chain)).toEqual([true, true]);
      world.advance(5_000);
    }
    const block = await read(chain, plain);
    expect(block?.transfers.map(({ amount }) => unitsOf(amount))).toEqual([5n]);
    expect(block?.untraced).toEqual([{ txId: null, reason: 'oversized-block' }]);
  });
});
