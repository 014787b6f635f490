// The controls over HTTP, as a test in another process uses them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTronWebChain, type TronWebChain } from '../testing/tronweb-chain.ts';

let chain: TronWebChain;
beforeAll(async () => {
  chain = await startTronWebChain();
});
afterAll(() => chain.dev.stop());

describe('/dev', () => {
  it('mines, travels, forks and sets state', async () => {
    const { dev, addresses, post } = chain;
    expect(await post('/dev/mine', { count: 3 })).toHaveLength(3);
    const before = dev.head().timestamp;
    await post('/dev/increaseTime', { ms: 3_600_000 });
    await post('/dev/mine');
    expect(dev.head().timestamp - before).toBeGreaterThanOrEqual(3_600_000);
    await post('/dev/setNextBlockTimestamp', { timestampMs: dev.head().timestamp + 5 });
    const next = dev.head().timestamp + 5;
    await post('/dev/mine');
    expect(dev.head().timestamp).toBe(next);
    const { snapshot } = await post('/dev/snapshot');
    expect(await post('/dev/setBalance', { address: addresses[1], sun: 42 })).toEqual({});
    expect(await post('/wallet/getaccount', { address: addresses[1], visible: true })).toMatchObject({
      balance: 42,
    });
    expect(await post('/dev/reorg', { depth: 2, orphans: 'drop' })).toHaveLength(3);
    await dev.revert(Number(snapshot));
    await post('/dev/revert', { snapshot });
    expect(dev.head().timestamp).toBe(next);
    expect(await post('/dev/reorg', { depth: 'x' })).toHaveProperty('Error');
  });

  it('makes the next broadcast answer what only a network can, with or without taking the transaction', async () => {
    const { dev, tronWeb, addresses, post } = chain;
    for (const isAccepted of [true, false]) {
      await post('/dev/failNextBroadcast', { code: 'NOT_ENOUGH_EFFECTIVE_CONNECTION', isAccepted });
      const sent = await tronWeb.trx.sendTransaction(addresses[1]!, isAccepted ? 8 : 9);
      expect(sent).toMatchObject({ code: 'NOT_ENOUGH_EFFECTIVE_CONNECTION' });
      const [block] = await dev.mine();
      expect(block!.transactions).toHaveLength(isAccepted ? 1 : 0);
    }
  });
});

describe('interval mining', () => {
  it('makes blocks by itself until it is stopped', async () => {
    const { dev, tronWeb, addresses } = await startTronWebChain({ mining: { blockTimeMs: 20 } });
    const { txid } = await tronWeb.trx.sendTransaction(addresses[1]!, 5);
    await expect.poll(() => tronWeb.trx.getUnconfirmedTransactionInfo(txid)).toMatchObject({ id: txid });
    await dev.stop();
    await expect(fetch(dev.fullUrl)).rejects.toThrow();
  });
});
